import { type Git, isAncestor } from './git.ts';

export type TreeMerge =
  /** A commit with both parents. No branch points to it yet. */
  | { kind: 'merged'; commit: string; isLikeSecond: boolean }
  /** The first commit contains the second already. */
  | { kind: 'contained' }
  | { kind: 'conflict'; files: string[] };

/** Merges two commits without a worktree: nothing is checked out, and no branch moves. */
export async function mergeTrees(
  git: Git,
  first: string,
  second: string,
  message: string,
): Promise<TreeMerge> {
  if (await isAncestor(git, second, first)) return { kind: 'contained' };
  const merged = await tryMerge(git, first, second);
  if ('files' in merged) return { kind: 'conflict', files: merged.files };
  const unsigned = (await git.signing()) === 'works' ? ['-S'] : [];
  const parents = ['-p', first, '-p', second];
  const made = ['commit-tree', ...unsigned, ...parents, '-m', message, merged.tree];
  const [commit, theirs] = await Promise.all([
    git.run(made),
    git.run(['rev-parse', `${second}^{tree}`]),
  ]);
  return { kind: 'merged', commit, isLikeSecond: theirs === merged.tree };
}

/** Returns the files that both commits change in the same place; none if they can be merged. */
export async function findConflicts(git: Git, first: string, second: string): Promise<string[]> {
  const merged = await tryMerge(git, first, second);
  return 'files' in merged ? merged.files : [];
}

async function tryMerge(
  git: Git,
  first: string,
  second: string,
): Promise<{ tree: string } | { files: string[] }> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', first, second];
  const result = await git.attempt(args);
  const [tree = '', ...files] = result.stdout.split('\0');
  // 1 means that there are conflicts; the tree has them marked. Anything else is an error.
  if (result.code === 1 && tree !== '') return { files: [...new Set(files.filter(Boolean))] };
  return { tree: result.code === 0 ? tree.trim() : await git.run(args) };
}
