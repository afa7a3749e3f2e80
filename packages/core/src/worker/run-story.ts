import { commitAll, listUncommitted } from '../git/git.ts';
import { openPlainGit } from '../git/plain-git.ts';
import type { Worktree } from '../git/worktree.ts';
import { pinWorktree } from '../project/story-worktrees.ts';
import type { Outcome, Worker } from './context.ts';
import { handOver } from './deliver/hand-over.ts';
import { publish } from './deliver/publish.ts';
import { ensureDraftPullRequest } from './deliver/pull-request.ts';
import { ensureWorktree } from './prepare/ensure-worktree.ts';
import { lockWorker } from './prepare/lock-worker.ts';
import { preflight } from './prepare/preflight.ts';
import { sweepLitter } from './prepare/sweep-litter.ts';
import { describeConfinement } from './run/confine.ts';
import { runUntilDone } from './run-until-done.ts';
import { settleUnfinished } from './settle/settle-run.ts';

/** Carries one story from its files to a pull request that is ready for review. */
export async function runStory(asked: Worker): Promise<Outcome> {
  // Loaded while preflight asks git and the client, to start sooner.
  const guardModule = import('./run/guard.ts');
  const ready = await preflight(asked);
  if ('outcome' in ready) return ready.outcome;
  using _lock = await lockWorker(asked);
  await sweepLitter(asked.paths, asked.storyId);
  const worktree = await ensureWorktree(asked);
  const worker = { ...asked, paths: pinWorktree(asked.paths, asked.storyId, worktree.folder) };
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
  if (evidence) {
    const hasGh = ready.gh !== undefined;
    const cause = await handOver(worker, worktree, { pullRequest, hasGh, evidence });
    return { ...outcome, cause };
  }
  await keepLeftovers(worker, worktree);
  await pullRequest.refresh();
  return outcome;
}

/** When the worker ends, commits what no run committed, so that the branch keeps it. */
async function keepLeftovers({ storyId, env, emit }: Worker, worktree: Worktree): Promise<void> {
  const git = openPlainGit(worktree.folder, env);
  const files = await listUncommitted(git);
  if (files.length === 0) return;
  await commitAll(git, `wip: ${storyId}, left uncommitted by a run`);
  emit('leftovers:committed', { files });
  await publish(worktree, emit);
}
