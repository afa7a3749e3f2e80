import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { commitAll } from '../../../../test/rig/project/repository.ts';
import { openGit } from './git.ts';
import { findConflicts, mergeTrees } from './merge-trees.ts';

/** A branch from main with these files. */
function addBranch(it: Project, name: string, files: Record<string, string>): string {
  it.git('switch', '-q', '-c', name, 'main');
  for (const [path, text] of Object.entries(files)) it.write(path, text);
  commitAll(it.gitIn, it.root, name);
  it.git('switch', '-q', 'main');
  return it.git('rev-parse', name).trim();
}

test('two branches become a commit with both parents; no branch and no file moves', async () => {
  using it = createProject();
  const [a, b] = [addBranch(it, 'a', { 'a.txt': 'a\n' }), addBranch(it, 'b', { 'b.txt': 'b\n' })];
  const git = openGit(it.root, it.env);
  const before = it.git('for-each-ref');
  const merged = await mergeTrees(git, a, b, 'Both');
  expect(merged).toMatchObject({ kind: 'merged', isLikeSecond: false });
  const { commit } = merged as { commit: string };
  expect(it.git('log', '-1', '--format=%s|%P', commit).trim()).toBe(`Both|${a} ${b}`);
  expect(it.git('ls-tree', '--name-only', commit, 'a.txt', 'b.txt')).toBe('a.txt\nb.txt\n');
  expect(it.git('for-each-ref')).toBe(before);
  expect(it.git('status', '--porcelain')).toBe('');
  expect(await findConflicts(git, a, b)).toEqual([]);
});

test('what is contained already is not merged; what adds nothing to the second is like it', async () => {
  using it = createProject();
  const main = it.git('rev-parse', 'main').trim();
  const a = addBranch(it, 'a', { 'a.txt': 'a\n' });
  const git = openGit(it.root, it.env);
  expect(await mergeTrees(git, a, main, 'No')).toEqual({ kind: 'contained' });
  expect(await mergeTrees(git, main, a, 'Yes')).toMatchObject({
    kind: 'merged',
    isLikeSecond: true,
  });
});

test('conflicts are named by their files, also those with odd names', async () => {
  using it = createProject();
  const odd = 'odd "name"\nü.txt';
  const a = addBranch(it, 'a', { 'README.md': 'a\n', [odd]: 'a\n', 'a.txt': 'a\n' });
  const b = addBranch(it, 'b', { 'README.md': 'b\n', [odd]: 'b\n' });
  const git = openGit(it.root, it.env);
  const files = ['README.md', odd];
  expect(await mergeTrees(git, a, b, 'No')).toEqual({ kind: 'conflict', files });
  expect(await findConflicts(git, a, b)).toEqual(files);
});

test('a commit that is not there is an error, not a conflict', async () => {
  using it = createProject();
  const git = openGit(it.root, it.env);
  await expect(findConflicts(git, 'main', 'nowhere')).rejects.toMatchObject({ code: 'git-failed' });
});

test('of files that are chosen, the copy of the second counts, also that it has none', async () => {
  using it = createProject();
  const a = addBranch(it, 'a', { 'README.md': 'a\n', 'a.txt': 'a\n', 'old.txt': 'a\n' });
  const b = addBranch(it, 'b', { 'README.md': 'b\n', 'a.txt': 'b\n', 'b.txt': 'b\n' });
  const git = openGit(it.root, it.env);
  const some = await mergeTrees(git, a, b, 'No', async () => ['README.md']);
  expect(some).toEqual({ kind: 'conflict', files: ['a.txt'] });
  const all = await mergeTrees(git, a, b, 'All', async (files) => [...files, 'old.txt']);
  expect(all).toMatchObject({ kind: 'merged', isLikeSecond: true });
});
