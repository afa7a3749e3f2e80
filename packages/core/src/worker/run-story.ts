import { describeCause } from '@saga-ai/types/words/describe-cause';
import { messageOf } from '../errors.ts';
import { isStillThere, type Worktree } from '../git/worktree.ts';
import { worktreeGone } from '../plan/not-found.ts';
import { noteInJournal } from '../plan/worker-notes.ts';
import { pinWorktree } from '../project/story-worktrees.ts';
import { requireTrustedWorktree } from '../trust/require-trust.ts';
import { sweepCleanPlaces } from './clean/clean-places.ts';
import { digestDefinition, type Outcome, type Worker } from './context.ts';
import { claimBranch } from './deliver/claim-branch.ts';
import { handOver } from './deliver/hand-over.ts';
import { publish } from './deliver/publish.ts';
import { ensureDraftPullRequest } from './deliver/pull-request.ts';
import { ensureWorktree } from './prepare/ensure-worktree.ts';
import { lockWorker } from './prepare/lock-worker.ts';
import { preflight, type Ready } from './prepare/preflight.ts';
import { requireStartable } from './prepare/require-startable.ts';
import { sweepLitter } from './prepare/sweep-litter.ts';
import { describeConfinement } from './run/confine.ts';
import { findSandbox } from './run/enclose.ts';
import { runUntilDone } from './run-until-done.ts';
import { commitStory } from './settle/commit-story.ts';
import { keepLeftovers } from './settle/leftovers.ts';
import { settleUnfinished } from './settle/settle-run.ts';

/** Carries one story from its files to a pull request that is ready for review. */
export async function runStory(asked: Worker): Promise<Outcome> {
  // Loaded while preflight asks git and the client, to start sooner.
  const guardModule = import('./run/guard.ts');
  await requireTurn(asked);
  const ready = await preflight(asked);
  if ('outcome' in ready) return ready.outcome;
  using _lock = await lockWorker(asked);
  await sweepLitter(asked.paths, asked.storyId);
  await sweepCleanPlaces(asked.paths);
  const enclosed = { ...asked, ...(await findSandbox(asked)) };
  const worktree = await ensureWorktree(enclosed);
  const paths = pinWorktree(asked.paths, asked.storyId, worktree.folder);
  const worker = { ...enclosed, paths };
  // The base may bring settings of the client that the main checkout does not have.
  requireTrustedWorktree(paths, asked.storyId, asked.env);
  await claimBranch(worker, worktree);
  try {
    return await workOn(worker, worktree, ready, guardModule);
  } catch (error) {
    throw await explainError(worker, worktree, error);
  }
}

/**
 * Throws if the story may not start. A further round of a worker that began with this check goes on, and a rehearsal
 * begins nothing.
 */
async function requireTurn(worker: Worker): Promise<void> {
  const { paths, storyId, env, anyway, isChecked, isFurther, rehearsal } = worker;
  if (isChecked || isFurther || rehearsal) return;
  await requireStartable(paths, storyId, env, anyway);
}

/** Everything that happens in the story's worktree. */
async function workOn(
  begun: Worker,
  worktree: Worktree,
  ready: Ready,
  guardModule: Promise<typeof import('./run/guard.ts')>,
): Promise<Outcome> {
  await begun.rehearsal?.prepare(worktree);
  const restored = await settleUnfinished(begun, worktree);
  const worker = { ...begun, definition: digestDefinition(begun) };
  const confinement = await describeConfinement(worker, worktree);
  const { startGuard } = await guardModule;
  await using guard = await startGuard({
    place: confinement,
    wire: worker.agent.guard,
    emit: worker.emit,
  });
  const pullRequest = await ensureDraftPullRequest(worker, worktree);
  const run = { worker, worktree, ready, pullRequest, confinement, guard, restored };
  const { evidence, ...outcome } = await runUntilDone(run);
  if (evidence) {
    const cause = await handOver(worker, worktree, { pullRequest, evidence });
    return { ...outcome, cause };
  }
  await noteEnd(worker, worktree, outcome);
  await keepLeftovers(worker, worktree);
  await pullRequest.refresh();
  return outcome;
}

/** Notes in the journal how the worker ended, if no other file of the story says so. */
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
  await publish(worker, worktree);
}

/** If the worktree was removed, that explains every other error. An error is noted in the journal. */
async function explainError(worker: Worker, worktree: Worktree, error: unknown): Promise<unknown> {
  if (!isStillThere(worktree)) return worktreeGone(worktree.folder, worker.storyId);
  await noteInJournal(worker, `stopped by an error: ${messageOf(error)}`);
  return error;
}
