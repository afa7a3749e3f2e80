import type { Git } from '../git.ts';

/** The trailer that names the lease under which a machine of a fleet works on a branch. */
const LEASE_TRAILER = 'Saga-Lease';

/**
 * Makes a commit on top of another one that changes no file and names a lease. No branch points to it yet.
 * Once it is pushed, a machine that worked on the branch before cannot push any more: its commits do not
 * contain this one. The trailer is for people; a run could write it too.
 */
export async function makeLeaseCommit(
  git: Git,
  on: string,
  { lease, machine }: { lease: number; machine: string },
): Promise<string> {
  const message = `saga: ${machine} goes on from here\n\n${LEASE_TRAILER}: ${lease}`;
  const signed = (await git.signing()) === 'works' ? ['-S'] : [];
  return git.run(['commit-tree', ...signed, '-p', on, '-m', message, `${on}^{tree}`]);
}

/**
 * The option that makes the remote refuse a push unless the branch is still where this machine saw it. With it
 * git would also accept a push that is no fast-forward, so the caller must have checked that it is one.
 */
export const onlyIfStillAt = (branch: string, seen: string | undefined): string =>
  `--force-with-lease=refs/heads/${branch}:${seen ?? ''}`;
