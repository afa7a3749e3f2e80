import { rmSync } from 'node:fs';
import { formatTitle } from '@saga-ai/types/plan/journal';
import type { StoryView } from '@saga-ai/types/screens/overview';
import type { Code } from '@saga-ai/types/words/problem';
import { SagaError } from '../errors.ts';
import { type ConfigTexts, loadConfig } from '../plan/config.ts';
import { loadStory } from '../plan/stories.ts';
import type { Environment } from '../processes/run.ts';
import type { Paths } from '../project/paths.ts';
import { loadSessionRecord } from '../records/session-records.ts';
import { requireTrust } from '../trust/require-trust.ts';
import { requireStartable } from '../worker/prepare/require-startable.ts';
import { type SessionRequest, type StartedSession, startSession } from './start-session.ts';
import { openTmux } from './tmux.ts';
import type { Patience } from './wait-for-word.ts';

/**
 * Starts a worker in a session, if the story may run now, and passes on that this was checked. The worker itself checks
 * all needs first, and this function waits for that. Throws the worker's error if a need is not met, or if the worker ends with an error before it has a
 * worktree.
 */
export async function startWorker(
  request: SessionRequest & { flags?: ConfigTexts; anyway?: boolean; patience?: Patience },
): Promise<StartedSession> {
  const { paths, storyId, env, flags = {}, anyway = false } = request;
  const view = await requireStartable(paths, storyId, env, anyway);
  if (view) requireAnswers(paths, view);
  requireTrust(paths, [storyId], env);
  const { config } = loadConfig(paths, { environment: env, flags });
  await requireTmux(paths.root, env);
  const started = await startSession({
    ...request,
    command: [...request.command, '--checked'],
    tmuxServer: config.session.tmuxServer,
  });
  const { end, outputFile, session } = started;
  if (end?.kind !== 'error') return started;
  // Without a record no command would find the output file, and the error contains everything that the file says.
  const isKept = end.hint === undefined || loadSessionRecord(paths, session) !== undefined;
  if (!isKept) rmSync(outputFile, { force: true });
  throw new SagaError(
    (end.code as Code | undefined) ?? 'session-failed',
    String(end.reason),
    String(end.hint ?? `See ${outputFile}`),
  );
}

/**
 * Throws if a question is open, or a task that was tried too often holds up all the rest. A worker would end for the
 * same reason, but this error reaches the person at once.
 */
function requireAnswers(paths: Paths, { id, hindrances, needsYou }: StoryView): void {
  const question = needsYou?.find(({ kind }) => kind === 'blocker');
  if (hindrances.includes('blocker') && question) {
    throw new SagaError(
      'blocker-open',
      `Story ${id} waits for you: ${formatTitle(question.title)}`,
      `Answer it: saga resolve ${id} --with "…", or run without an answer: saga run ${id} --anyway`,
    );
  }
  if (!hindrances.includes('held-up')) return;
  const { tasks } = loadStory(paths, id);
  const stuck = tasks.find((it) => it.escalated && it.status !== 'completed');
  // The stuck task may be only on the branch. Then the worker finds it there and reports it.
  if (!stuck) return;
  throw new SagaError(
    'blocker-open',
    `Story ${id} waits for you: its task ${stuck.id} was tried too often.`,
    `See why: saga logs ${id}. Correct what it says: saga edit ${id} ${stuck.id}. Then: saga task reopen --story ${id} ${stuck.id}`,
  );
}

async function requireTmux(folder: string, env: Environment): Promise<void> {
  try {
    await openTmux(folder, env, 'saga').version();
  } catch (cause) {
    throw new SagaError(
      'missing-program',
      'tmux is not installed, and a session needs it.',
      'Install tmux, or run in this terminal: --foreground',
      { cause },
    );
  }
}
