import { findOpenBlockers, formatTitle, parseJournal } from '@saga-ai/types/plan/journal';
import type { Code } from '@saga-ai/types/words/problem';
import { findClaude } from '../agents/claude/claude.ts';
import { SagaError } from '../errors.ts';
import { toError } from '../files/json-file.ts';
import { loadOverview } from '../overview/overview.ts';
import { type ConfigTexts, loadConfig } from '../plan/config.ts';
import { loadItem } from '../plan/resolve.ts';
import { hasWorker } from '../plan/story-lock.ts';
import { findLockOwner } from '../processes/lock.ts';
import type { Environment } from '../processes/run.ts';
import { type Paths, workerLock } from '../project/paths.ts';
import { type SessionRequest, type StartedSession, startSession } from './start-session.ts';
import { openTmux } from './tmux.ts';

/** Starts a worker in a session, after checking everything that can be checked beforehand. */
export async function startWorker(
  request: SessionRequest & { flags?: ConfigTexts; anyway?: boolean },
): Promise<StartedSession> {
  const { paths, storyId, env, flags = {}, anyway = false } = request;
  await requireRunnable(paths, storyId, anyway);
  const { config } = loadConfig(paths, { environment: env, flags });
  findClaude(config.worker.claudePath, paths.root, env);
  await requireTmux(paths.root, env);
  const started = await startSession(request);
  const { first, outputFile } = started;
  if (first?.type !== 'worker:end' || first.kind !== 'error') return started;
  throw new SagaError(
    (first.code as Code | undefined) ?? 'session-failed',
    String(first.reason),
    String(first.hint ?? `See ${outputFile}`),
  );
}

export async function requireRunnable(paths: Paths, id: string, anyway: boolean): Promise<void> {
  const item = loadItem(paths, id);
  if (item.kind === 'epic') {
    throw new SagaError(
      'usage',
      `${id} is an epic; a worker runs one story.`,
      `Run its stories: ${item.epic.children.map((child) => `saga run ${child.id}`).join(', ')}`,
    );
  }
  if (item.problems.length > 0) throw toError(item.problems);
  const owner = findLockOwner(workerLock(paths, id));
  if (owner) throw hasWorker(paths, id, owner);
  if (anyway) return;
  await requireTurn(paths, id);
  const [blocker] = findOpenBlockers(parseJournal(item.journal).entries);
  if (!blocker) return;
  throw new SagaError(
    'blocker-open',
    `Story ${id} waits for you: ${formatTitle(blocker.title)}`,
    `Answer it: saga resolve ${id} --with "…", or run without an answer: saga run ${id} --anyway`,
  );
}

/** Throws if the story waits for others: it would branch from a base that lacks their work. */
async function requireTurn(paths: Paths, id: string): Promise<void> {
  const { stories } = await loadOverview(paths);
  const { blockedBy = [] } = stories.find((it) => it.id === id) ?? {};
  if (blockedBy.length === 0) return;
  throw new SagaError(
    'waits',
    `Story ${id} waits for ${blockedBy.join(', ')}.`,
    `See what can start now: saga ready. To run it all the same: saga run ${id} --anyway`,
  );
}

async function requireTmux(folder: string, env: Environment): Promise<void> {
  try {
    await openTmux(folder, env).version();
  } catch (cause) {
    throw new SagaError(
      'missing-program',
      'tmux is not installed, and a session needs it.',
      'Install tmux, or run in this terminal: --foreground',
      { cause },
    );
  }
}
