import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Git, isAncestor } from './git.ts';

export type TreeMerge =
  /** A commit with both parents. No branch points to it yet. */
  | { kind: 'merged'; commit: string; isLikeSecond: boolean }
  /** The first commit contains the second already. */
  | { kind: 'contained' }
  | { kind: 'conflict'; files: string[] };

/** Chooses the files that are taken from the second commit. `conflicts` are the files that both commits changed. */
export type PreferSecond = (conflicts: readonly string[]) => Promise<string[]>;

/** Merges two commits without a worktree: nothing is checked out, and no branch moves. */
export async function mergeTrees(
  git: Git,
  first: string,
  second: string,
  message: string,
  preferSecond: PreferSecond = async () => [],
): Promise<TreeMerge> {
  if (await isAncestor(git, second, first)) return { kind: 'contained' };
  const merged = await tryMerge(git, first, second);
  const taken = await preferSecond(merged.conflicts);
  const files = merged.conflicts.filter((path) => !taken.includes(path));
  if (files.length > 0) return { kind: 'conflict', files };
  const tree = await takeFiles(git, merged.tree, second, taken);
  const unsigned = (await git.signing()) === 'works' ? ['-S'] : [];
  const parents = ['-p', first, '-p', second];
  const made = ['commit-tree', ...unsigned, ...parents, '-m', message, tree];
  const [commit, theirs] = await Promise.all([
    git.run(made),
    git.run(['rev-parse', `${second}^{tree}`]),
  ]);
  return { kind: 'merged', commit, isLikeSecond: theirs === tree };
}

/** Returns the files that both commits change in the same place, or [] if the commits can be merged. */
export async function findConflicts(git: Git, first: string, second: string): Promise<string[]> {
  return (await tryMerge(git, first, second)).conflicts;
}

/** Returns the tree with these files as a commit has them; a file that the commit lacks is left out. */
async function takeFiles(
  git: Git,
  tree: string,
  from: string,
  paths: readonly string[],
): Promise<string> {
  if (paths.length === 0) return tree;
  const folder = mkdtempSync(join(tmpdir(), 'saga-index-'));
  const index = join(folder, 'index');
  try {
    await git.run(['read-tree', tree], { index });
    const records = await git.paths(['ls-tree', '-z', '--full-tree', from, '--', ...paths]);
    const there = records.map((it) => it.replace(/ blob /, ' '));
    const gone = paths.map((path) => `0 ${'0'.repeat(tree.length)}\t${path}`);
    // A later line about the same path wins.
    const input = [...gone, ...there].map((it) => `${it}\0`).join('');
    await git.run(['update-index', '-z', '--index-info'], { index, input });
    return await git.run(['write-tree'], { index });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryMerge(
  git: Git,
  first: string,
  second: string,
): Promise<{ tree: string; conflicts: string[] }> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', first, second];
  const result = await git.attempt(args);
  const [tree = '', ...files] = result.stdout.split('\0');
  // 1 means that there are conflicts; the tree has them marked. Anything else is an error.
  if (result.code === 1 && tree !== '') {
    return { tree: tree.trim(), conflicts: [...new Set(files.filter(Boolean))] };
  }
  return { tree: result.code === 0 ? tree.trim() : await git.run(args), conflicts: [] };
}
