import { commitAll } from '../../git/commit.ts';
import { isAncestor, listChanged } from '../../git/git.ts';
import { openPlainGit } from '../../git/plain-git.ts';
import { listUncommitted } from '../../git/uncommitted.ts';
import { formatWip } from '../../git/wip.ts';
import type { Worktree } from '../../git/worktree.ts';
import type { Worker } from '../context.ts';

/**
 * When the worker ends, commits what no run committed, so that the branch keeps it. The commit stays on
 * this machine: nobody has looked at these files, and a secret may be among them. An unfinished merge
 * stays as it is, because a commit would settle its conflicts.
 */
export async function keepLeftovers({ storyId, emit }: Worker, worktree: Worktree): Promise<void> {
  const git = openPlainGit(worktree.folder, worktree.git.env);
  const files = await listUncommitted(git);
  if (files.length === 0 || (await git.resolve('MERGE_HEAD')) !== undefined) return;
  await commitAll(git, formatWip(storyId));
  emit('leftovers:committed', { files });
}

/**
 * Before the first run, takes the last such commit apart again: its files are uncommitted, as the run
 * left them, and the next run decides about them. A commit that was pushed stays.
 */
export async function reopenLeftovers(
  { storyId, emit }: Worker,
  { folder, branch, base, git: { env } }: Worktree,
): Promise<void> {
  const git = openPlainGit(folder, env);
  const [subject, parents = ''] = (await git.run(['log', '-1', '--format=%s%n%P'])).split('\n');
  if (subject !== formatWip(storyId) || !/^[0-9a-f]+$/.test(parents)) return;
  const pushed = base.remote && (await git.resolve(`refs/remotes/${base.remote}/${branch}`));
  if (pushed && (await isAncestor(git, 'HEAD', pushed))) return;
  const files = await listChanged(git, parents, 'HEAD');
  await git.run(['reset', '-q', parents]);
  emit('leftovers:reopened', { files });
}
