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
