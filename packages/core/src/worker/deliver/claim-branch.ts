import { SagaError } from '../../errors.ts';
import { moveBranch } from '../../git/branches.ts';
import { fetchBranch } from '../../git/find-base.ts';
import { isAncestor } from '../../git/git.ts';
import { makeLeaseCommit } from '../../git/remote/lease-commit.ts';
import type { Worktree } from '../../git/worktree.ts';
import type { Worker } from '../context.ts';
import { publish } from './publish.ts';

/** How often the claim begins again because somebody pushed meanwhile. */
const TRIES = 3;

/**
 * In a fleet, takes over a branch that the remote has already: the first push under a new lease is a commit that names
 * the lease. The machine before may only be frozen; when it wakes up, its push is no longer a fast-forward. A new
 * branch needs no such commit, because the remote refuses to create a branch twice.
 */
export async function claimBranch(worker: Worker, worktree: Worktree): Promise<void> {
  const { fence, emit } = worker;
  const { git, branch, base } = worktree;
  const { remote, pinned } = base;
  if (!fence || remote === undefined || base.isUnreachable) return;
  const tracking = `refs/remotes/${remote}/${branch}`;
  for (let left = TRIES; left > 0; left--) {
    const [there, tip] = [await git.resolve(tracking), await git.resolve(`refs/heads/${branch}`)];
    if (there === undefined || tip === undefined) return;
    if (!(await isAncestor(git, there, tip))) break;
    const commit = await makeLeaseCommit(git, tip, fence);
    if (!(await moveBranch(git, branch, commit, tip))) continue;
    const published = await publish(worker, worktree);
    if (published.pushed) return;
    await fetchBranch(git, remote, branch, { emit, pinned });
    // If nobody pushed, the push failed for another reason. Every later push reports that again.
    if ((await git.resolve(tracking)) === there) return;
    await moveBranch(git, branch, tip, commit);
    await git.attempt(['-c', 'core.hooksPath=/dev/null', 'merge', '--ff-only', '-q', tracking]);
  }
  throw new SagaError(
    'git-failed',
    `${branch} has commits on ${remote} that this machine lacks, and the other way round.`,
    `Look at both: git log --oneline ${branch}...${remote}/${branch}. Run the story again to go on from what ${remote} has.`,
  );
}
