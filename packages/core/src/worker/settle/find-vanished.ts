import { PLAN_FOLDER } from '@saga-ai/types/plan/plan-paths';
import { type Git, isAncestor, listChanged } from '../../git/git.ts';
import type { Worktree } from '../../git/worktree.ts';

/**
 * Finds commits that the branch had before a run and whose changes it no longer contains. A rebase keeps
 * the changes, and so does a squash; a reset does not. Commits of the base and SAGA's bookkeeping do not
 * count.
 */
export async function findVanished(
  { base }: Pick<Worktree, 'base'>,
  git: Git,
  before: string,
): Promise<{ commits: string[]; files: string[] }> {
  const none = { commits: [], files: [] };
  const [head, known] = [await git.resolve('HEAD'), await git.resolve(before)];
  if (head === undefined || known === undefined) return none;
  if (await isAncestor(git, before, 'HEAD')) return none;
  const tracked = `refs/remotes/${base.remote}/${base.branch}`;
  const tip = base.remote === undefined ? undefined : await git.resolve(tracked);
  const apart = ['--right-only', '--cherry-pick', '--no-merges', `HEAD...${before}`];
  const others = ['--not', base.commit, ...(tip === undefined ? [] : [tip])];
  const work = ['--', '.', `:(top,exclude)${PLAN_FOLDER}`];
  const commits = (await git.run(['rev-list', ...apart, ...others, ...work]))
    .split('\n')
    .filter(Boolean);
  if (commits.length === 0) return none;
  const shown = ['show', '--format=', '--name-only', '--no-renames', '-z', ...commits, ...work];
  const files = [...new Set(await git.paths(shown))].sort();
  // HEAD has the same contents, so the changes are there, as after a squash.
  const changed = new Set(await listChanged(git, before, 'HEAD'));
  return files.some((path) => changed.has(path)) ? { commits, files } : none;
}
