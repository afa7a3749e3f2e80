import { SagaError } from '@saga-ai/core/errors';
import { tellStory } from '@saga-ai/core/messages/tell-story';
import { appendJournal } from '@saga-ai/core/plan/journal';
import { loadStory } from '@saga-ai/core/plan/stories';
import { discardWork } from '@saga-ai/core/recovery/discard';
import { findSession } from '@saga-ai/core/sessions/find-session';
import { startWorker } from '@saga-ai/core/sessions/start-worker';
import { type Stopped, stopSession } from '@saga-ai/core/sessions/stop-session';
import { updateNow } from '@saga-ai/core/update/update-now';
import { buildResolution, findOpenBlockers, parseJournal } from '@saga-ai/types/plan/journal';
import type { ActionAnswer, ResolveRequest, TellRequest } from '@saga-ai/types/screens/dashboard';
import { actInFleet, callSaga, isInFleet } from './act-in-fleet.ts';
import type { ActionContext } from './action-context.ts';
import { describeUpdate } from './describe-update.ts';

export async function startStory(
  { paths, env, program, userId }: ActionContext,
  storyId: string,
): Promise<ActionAnswer> {
  const { session, state, end } = await startWorker({
    paths,
    storyId,
    command: [...program, 'worker', storyId],
    env,
    userId,
    timestamp: Date.now(),
  });
  if (state === 'starting') return say(`${storyId} is still starting in session ${session}.`);
  if (state === 'ended') return say(`${storyId} ended before it could begin: ${end?.reason}`);
  return say(`${storyId} runs in session ${session}.`);
}

export async function stopStory(context: ActionContext, storyId: string): Promise<ActionAnswer> {
  const { paths } = context;
  const call = { args: ['stop', storyId], done: `${storyId} stopped. Hand it over to resume.` };
  const elsewhere = await actInFleet(context, storyId, call);
  if (elsewhere) return elsewhere;
  return say(`${storyId} ${ENDS[await stopSession(findSession(paths, storyId))]}`);
}

/** Takes the edited plan and the base into the story's branch, as `saga update` does. */
export async function updateStory(
  { paths, env, userId }: ActionContext,
  storyId: string,
): Promise<ActionAnswer> {
  const parts = { plan: true, base: true, tellsRun: true };
  const updated = await updateNow({ paths, storyId, env, userId, parts, listen: () => {} });
  return say(describeUpdate(storyId, updated));
}

/** Puts worktree and branch into the trash. The page has asked the person before. */
export async function discardStory(
  { paths, env }: ActionContext,
  storyId: string,
): Promise<ActionAnswer> {
  loadStory(paths, storyId);
  await discardWork({ paths, id: storyId, env, why: 'discard' });
  return say(`${storyId} is in the trash. To bring it back: saga trash restore ${storyId}`);
}

const ENDS: Readonly<Record<Stopped, string>> = {
  'was-over': 'is not running.',
  stopped: 'stopped. Run it to resume.',
  killed: 'did not stop and was killed. The next run cleans up and resumes.',
};

export async function resolveBlocker(
  context: ActionContext,
  storyId: string,
  body: unknown,
): Promise<ActionAnswer> {
  const { paths } = context;
  const { blocker: wanted, answer } = readResolve(body);
  const open = findOpenBlockers(parseJournal(loadStory(paths, storyId).journal).entries);
  const blocker = open.find((it) => it.id === wanted || it.title === wanted);
  if (!blocker && isInFleet(paths)) {
    // The question may be only on the branch, because another machine pushed it.
    return callSaga(context, {
      args: ['resolve', storyId, `--blocker=${wanted}`, '--with', '-'],
      input: answer,
      done: 'Resolved. The next run is told.',
    });
  }
  if (!blocker) {
    throw new SagaError(
      'not-found',
      `Story ${storyId} has no such open blocker: ${JSON.stringify(wanted)}.`,
      'It may have been answered in the meantime. Look at the journal.',
    );
  }
  const time = new Date().toISOString();
  await appendJournal(paths, storyId, buildResolution(blocker, answer.trim(), time));
  const left = open.length - 1;
  return say(
    `Resolved: ${blocker.title}. ${left > 0 ? `${left} more to answer.` : 'The next run is told.'}`,
  );
}

export async function tellRun(
  context: ActionContext,
  storyId: string,
  body: unknown,
): Promise<ActionAnswer> {
  const { paths, env } = context;
  const { text, interrupts } = (body ?? {}) as Partial<Record<keyof TellRequest, unknown>>;
  const said = {
    from: env.SAGA_OWNER || env.USER || 'The person at the dashboard',
    text: typeof text === 'string' ? text : '',
    interrupts: interrupts === true,
  };
  const done = `Sent. The run of ${storyId} reads it after its current step.`;
  const elsewhere = await actInFleet(context, storyId, {
    args: ['tell', storyId, '-', ...(said.interrupts ? ['--interrupt'] : [])],
    input: said.text,
    done,
  });
  if (elsewhere) return elsewhere;
  if (tellStory(paths, storyId, said)) return say(done);
  throw new SagaError(
    'not-running',
    `No run works on ${storyId} now, so the message was not sent.`,
    `To tell the next run: saga tell ${storyId} --keep "…"`,
  );
}

function readResolve(body: unknown): ResolveRequest {
  const { blocker, answer } = (body ?? {}) as Partial<Record<keyof ResolveRequest, unknown>>;
  if (typeof blocker === 'string' && typeof answer === 'string' && answer.trim() !== '') {
    return { blocker, answer };
  }
  throw new SagaError('edit-refused', 'The answer is empty.', 'Nothing was written.');
}

const say = (message: string): ActionAnswer => ({ ok: true, message });
