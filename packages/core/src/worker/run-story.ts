import { existsSync } from 'node:fs';
import type { Cause } from '@saga-ai/types/run/cause';
import type { Evidence } from '@saga-ai/types/run/evidence';
import { describeCause } from '@saga-ai/types/words/describe-cause';
import { messageOf } from '../errors.ts';
import { ensureIgnoredFolder } from '../files/atomic-write.ts';
import type { Worktree } from '../git/worktree.ts';
import { worktreeGone } from '../plan/not-found.ts';
import { hasWorker } from '../plan/story-lock.ts';
import { noteInJournal } from '../plan/worker-notes.ts';
import { acquireLock, findLockOwner } from '../processes/lock.ts';
import { workerLock } from '../project/paths.ts';
import { pinWorktree } from '../project/story-worktrees.ts';
import type { Outcome, Worker } from './context.ts';
import { publish } from './deliver/publish.ts';
import { ensureDraftPullRequest, type StoryPullRequest } from './deliver/pull-request.ts';
import { ensureWorktree } from './prepare/ensure-worktree.ts';
import { preflight, type Ready } from './prepare/preflight.ts';
import { sweepLitter } from './prepare/sweep-litter.ts';
import { describeConfinement } from './run/confine.ts';
import type { StoryRun } from './run-cycle.ts';
import { runUntilDone } from './run-until-done.ts';
import { commitStory } from './settle/commit-story.ts';
import { keepLeftovers } from './settle/leftovers.ts';
import { settleUnfinished } from './settle/settle-run.ts';

/** Carries one story from its files to a pull request that is ready for review. */
export async function runStory(asked: Worker): Promise<Outcome> {
  // Loaded while preflight asks git and the client, to start sooner.
  const guardModule = import('./run/guard.ts');
  const ready = await preflight(asked);
  if ('outcome' in ready) return ready.outcome;
  using _lock = await lockStory(asked);
  await sweepLitter(asked.paths, asked.storyId);
  const worktree = await ensureWorktree(asked);
  const worker = { ...asked, paths: pinWorktree(asked.paths, asked.storyId, worktree.folder) };
  try {
    return await workOn(worker, worktree, ready, guardModule);
  } catch (error) {
    throw await explainError(worker, worktree, error);
  }
}

/** Everything that happens in the story's worktree. */
async function workOn(
  worker: Worker,
  worktree: Worktree,
  ready: Ready,
  guardModule: Promise<typeof import('./run/guard.ts')>,
): Promise<Outcome> {
  await worker.rehearsal?.prepare(worktree);
  const restored = await settleUnfinished(worker, worktree);
  const confinement = describeConfinement(worker, worktree);
  const { startGuard } = await guardModule;
  await using guard = await startGuard({
    place: confinement,
    wire: worker.agent.guard,
    emit: worker.emit,
    folder: worker.paths.runs,
  });
  const pullRequest = await ensureDraftPullRequest(worker, worktree, ready.gh !== undefined);
  const run = { worker, worktree, ready, pullRequest, confinement, guard, restored };
  const { evidence, ...outcome } = await runUntilDone(run);
  if (evidence) return { ...outcome, cause: await handOver(run, evidence) };
  await noteEnd(worker, worktree, outcome);
  await keepLeftovers(worker, worktree);
  await pullRequest.refresh();
  return outcome;
}

/** Marks the pull request as ready after the gate has passed. If GitHub refuses, the cause says so. */
async function handOver(run: StoryRun, evidence: Evidence): Promise<Cause> {
  const pullRequest = run.pullRequest.missing === undefined ? run.pullRequest : await askAgain(run);
  const { missing } = pullRequest;
  if (missing !== undefined) return { kind: 'done', noPullRequest: missing };
  const refusal = await pullRequest.markReady(evidence);
  return { kind: 'done', ...(refusal === undefined ? {} : { refusal }) };
}

/** Tries once more to open the pull request: GitHub or the remote may answer now. */
async function askAgain({ worker, worktree, ready }: StoryRun): Promise<StoryPullRequest> {
  const { isUnreachable: _, ...base } = worktree.base;
  const pullRequest = await ensureDraftPullRequest(
    worker,
    { ...worktree, base },
    ready.gh !== undefined,
  );
  // The address of the pull request was just committed to the story's file, so push again.
  if (pullRequest.url !== undefined) await publish(worktree, worker.emit);
  return pullRequest;
}

/** Allows one worker per story. Takes over the lock of a dead worker and fails at once if a worker lives. */
async function lockStory({ paths, storyId }: Worker): Promise<Disposable> {
  ensureIgnoredFolder(paths.runs);
  const path = workerLock(paths, storyId);
  try {
    const { release } = await acquireLock(path, 0);
    return { [Symbol.dispose]: release };
  } catch (error) {
    const owner = findLockOwner(path);
    if (!owner) throw error;
    throw hasWorker(paths, storyId, owner, error);
  }
}

/** Notes in the journal how the worker ended, if nothing else in the story says so. */
async function noteEnd(
  worker: Worker,
  worktree: Worktree,
  { kind, cause }: Outcome,
): Promise<void> {
  if (kind === 'done' || kind === 'needs-you') return;
  const lead =
    kind === 'stopped' ? 'stopped' : `stopped by ${kind === 'limit' ? 'a limit' : 'an error'}`;
  await noteInJournal(worker, `${lead}: ${describeCause(cause)}`);
  await commitStory(worker, worktree, 'stopped');
  await publish(worktree, worker.emit);
}

/** If the worktree was removed, that explains every other error. An error is noted in the journal. */
async function explainError(worker: Worker, worktree: Worktree, error: unknown): Promise<unknown> {
  if (!existsSync(worktree.folder)) return worktreeGone(worktree.folder, worker.storyId);
  await noteInJournal(worker, `stopped by an error: ${messageOf(error)}`);
  return error;
}
