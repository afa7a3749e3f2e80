import { loadControl, saveControl } from '@saga-ai/core/epic/control';
import { isEpicRunning, startEpic } from '@saga-ai/core/epic/start-epic';
import { SagaError } from '@saga-ai/core/errors';
import { loadItem } from '@saga-ai/core/plan/resolve';
import type { Paths } from '@saga-ai/core/project/paths';
import { findSession } from '@saga-ai/core/sessions/find-session';
import { type Stopped, stopSession } from '@saga-ai/core/sessions/stop-session';
import type { ActionAnswer } from '@saga-ai/types/screens/dashboard';
import { count } from '@saga-ai/types/words/amounts';
import { actInFleet } from './act-in-fleet.ts';
import type { ActionContext } from './action-context.ts';

/** Starts the scheduler of an epic. A number of jobs that a person chose for an earlier run does not count. */
export async function runEpic(
  { paths, env, program, userId }: ActionContext,
  epicId: string,
  body: unknown,
): Promise<ActionAnswer> {
  requireEpic(paths, epicId);
  const jobs = readJobs(body);
  const option = jobs === undefined ? [] : [`--jobs=${jobs}`];
  if (!isEpicRunning(paths, epicId)) {
    saveControl(paths, epicId, { isPaused: false, jobs: undefined });
  }
  const { session, state, end } = await startEpic({
    paths,
    storyId: epicId,
    command: [...program, 'worker', epicId, ...option],
    env,
    userId,
    timestamp: Date.now(),
  });
  if (state === 'starting') return say(`${epicId} is still starting in session ${session}.`);
  if (state === 'ended') return say(`${epicId} ended: ${end?.reason}`);
  return say(`${epicId} runs in session ${session}.`);
}

/** Pauses an epic, so that nothing new begins, or lets it go on. */
export async function pauseEpic(
  context: ActionContext,
  epicId: string,
  isPaused: boolean,
): Promise<ActionAnswer> {
  const { paths } = context;
  const done = isPaused
    ? `${epicId} is paused: nothing new begins. What runs goes on.`
    : `${epicId} goes on.`;
  const args = [isPaused ? 'pause' : 'continue', epicId];
  const elsewhere = await actInFleet(context, epicId, { args, done });
  if (elsewhere) return elsewhere;
  requireRunning(paths, epicId);
  saveControl(paths, epicId, { isPaused });
  return say(done);
}

export async function setJobs(
  context: ActionContext,
  epicId: string,
  body: unknown,
): Promise<ActionAnswer> {
  const { paths } = context;
  const jobs = readJobs(body) ?? loadControl(paths, epicId).jobs ?? 1;
  const done = `${epicId} works on ${count(jobs, 'story', 'stories')} at the same time now.`;
  const args = ['run', epicId, `--jobs=${jobs}`];
  const elsewhere = await actInFleet(context, epicId, { args, done });
  if (elsewhere) return elsewhere;
  requireRunning(paths, epicId);
  saveControl(paths, epicId, { jobs });
  return say(done);
}

/** Stops the scheduler and the workers of its stories. */
export async function stopEpic(context: ActionContext, epicId: string): Promise<ActionAnswer> {
  const { paths } = context;
  requireEpic(paths, epicId);
  const done = `${epicId} stopped, and so did its stories. Hand it over to go on.`;
  const elsewhere = await actInFleet(context, epicId, { args: ['stop', epicId], done });
  if (elsewhere) return elsewhere;
  return say(`${epicId} ${ENDS[await stopSession(findSession(paths, epicId))]}`);
}

const ENDS: Readonly<Record<Stopped, string>> = {
  'was-over': 'is not running.',
  stopped: 'stopped, and so did its stories. Run it to go on.',
  killed: 'did not stop and was killed. Run it to go on.',
};

function requireEpic(paths: Paths, epicId: string): void {
  if (loadItem(paths, epicId).kind === 'epic') return;
  throw new SagaError(
    'usage',
    `${epicId} is a story, not an epic.`,
    `Open its page: /stories/${epicId}`,
  );
}

function requireRunning(paths: Paths, epicId: string): void {
  requireEpic(paths, epicId);
  if (isEpicRunning(paths, epicId)) return;
  throw new SagaError('session-failed', `Epic ${epicId} is not running.`, 'Run it first.');
}

/** The most workers on one machine. More were never tried. */
const MOST_JOBS = 64;

function readJobs(body: unknown): number | undefined {
  const { jobs } = (body ?? {}) as { jobs?: unknown };
  if (jobs === undefined) return undefined;
  if (Number.isInteger(jobs) && Number(jobs) >= 1 && Number(jobs) <= MOST_JOBS) return Number(jobs);
  throw new SagaError(
    'usage',
    `The number of jobs must be a whole number from 1 to ${MOST_JOBS}.`,
    'Nothing was changed.',
  );
}

const say = (message: string): ActionAnswer => ({ ok: true, message });
