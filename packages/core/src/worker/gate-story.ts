import type { Evidence } from '@saga-ai/types/run/evidence';
import { SagaError } from '../errors.ts';
import type { Worktree } from '../git/worktree.ts';
import { loadEvidence } from '../plan/load-evidence.ts';
import { requireRunnable } from '../plan/require-runnable.ts';
import { loadStory } from '../plan/stories.ts';
import { hasWorker } from '../plan/story-lock.ts';
import { findLockOwner } from '../processes/lock.ts';
import { type Paths, workerLock } from '../project/paths.ts';
import { findStoryWorktree, pinWorktree } from '../project/story-worktrees.ts';
import { sweepCleanPlaces } from './clean/clean-places.ts';
import { digestDefinition, type Outcome, stopReason, type Worker } from './context.ts';
import { describeGateCause } from './decide/next-cycle.ts';
import { handOver } from './deliver/hand-over.ts';
import { ensureDraftPullRequest } from './deliver/pull-request.ts';
import { describeFailures, runGate } from './gate/gate.ts';
import { ensureWorktree } from './prepare/ensure-worktree.ts';
import { lockWorker } from './prepare/lock-worker.ts';
import { preflightGate } from './prepare/preflight.ts';
import { sweepLitter } from './prepare/sweep-litter.ts';
import { findSandbox } from './run/enclose.ts';
import { settleUnfinished } from './settle/settle-run.ts';

/** Runs the gate of a story as a worker does, in its worktree as it is. No run is started. */
export async function gateStory(asked: Worker): Promise<Outcome> {
  await preflightGate(asked);
  using _lock = await lockWorker(asked);
  requireWorktree(asked.paths, asked.storyId);
  await sweepLitter(asked.paths, asked.storyId);
  await sweepCleanPlaces(asked.paths);
  const enclosed = { ...asked, ...(await findSandbox(asked)) };
  const worktree = await ensureWorktree(enclosed);
  const paths = pinWorktree(asked.paths, asked.storyId, worktree.folder);
  const begun = { ...enclosed, paths };
  const restored = await listRestored(begun, worktree);
  const worker = { ...begun, definition: digestDefinition(begun) };
  const pullRequest = await ensureDraftPullRequest(worker, worktree);
  const evidence = await runGate(worker, worktree, restored);
  if (evidence.outcome === 'passed') {
    const cause = await handOver(worker, worktree, { pullRequest, evidence });
    return { kind: 'done', cause };
  }
  await pullRequest.refresh();
  return describeFailed(worker, evidence);
}

/** Throws if the gate of the story cannot be run now: a worker works on it, or there is no worktree. */
export function requireGateable(paths: Paths, storyId: string): void {
  requireRunnable(loadStory(paths, storyId));
  const owner = findLockOwner(workerLock(paths, storyId));
  if (owner) throw hasWorker(paths, storyId, owner);
  requireWorktree(paths, storyId);
}

function requireWorktree(paths: Paths, storyId: string): void {
  if (findStoryWorktree(paths, storyId)) return;
  throw new SagaError(
    'no-worktree',
    `Story ${storyId} has no worktree, so there is nothing to check.`,
    `A worker makes the worktree: saga run ${storyId}`,
  );
}

/** The files of the plan that were put back since the gate last passed. */
async function listRestored(worker: Worker, worktree: Worktree): Promise<string[]> {
  const now = await settleUnfinished(worker, worktree);
  const { home } = loadStory(worker.paths, worker.storyId);
  const before = loadEvidence(worker.paths, home);
  const earlier = before?.outcome === 'failed' ? before.restored : [];
  return [...new Set([...earlier, ...now])].sort();
}

function describeFailed(worker: Worker, evidence: Evidence): Outcome {
  const why = stopReason(worker);
  if (why !== undefined) return { kind: 'stopped', cause: { kind: 'stopped', why } };
  const failures = describeFailures(evidence);
  if (failures.stoppedBy === 'deadline') {
    return { kind: 'limit', cause: { kind: 'limit', of: 'time' } };
  }
  return { kind: 'needs-you', cause: describeGateCause(failures) };
}
