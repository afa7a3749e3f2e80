import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { ensureWorktree } from '../worker/prepare/ensure-worktree.ts';
import { findGitRoot, findProject } from './find-project.ts';

test('the nearest .saga counts, from any folder below', () => {
  using folder = createTempFolder();
  const root = folder.path;
  mkdirSync(join(root, '.saga'));
  mkdirSync(join(root, 'a/b'), { recursive: true });
  mkdirSync(join(root, 'inner/.saga'), { recursive: true });
  expect(findProject(root)).toEqual({ root });
  expect(findProject(join(root, 'a/b'))).toEqual({ root });
  expect(findProject(join(root, '.saga'))).toEqual({ root });
  expect(findProject(join(root, 'inner'))).toEqual({ root: join(root, 'inner') });
});

test('in the worktree of a story, wherever it is, the project is the one it was made for', async () => {
  using it = createProject({ name: 'my shop' });
  it.story('x');
  const { folder } = await ensureWorktree(it.worker());
  const expected = { root: it.root, insideStory: 'x' };
  mkdirSync(join(folder, 'src/deep'), { recursive: true });
  expect(findProject(folder)).toEqual(expected);
  expect(findProject(join(folder, 'src/deep'))).toEqual(expected);
  // A run may be anywhere in git; and a branch may lack the plan.
  it.gitIn(folder, 'switch', '-q', '--detach');
  rmSync(join(folder, '.saga'), { recursive: true });
  expect(findProject(join(folder, 'src'))).toEqual(expected);
  it.git('worktree', 'add', '-q', '-b', 'feature', '../feature');
  expect(findProject(join(it.folder, 'feature'))).toEqual({ root: join(it.folder, 'feature') });
});

test('a worktree does not pass for a project when its repository was moved', async () => {
  using it = createProject();
  it.story('x');
  const { folder } = await ensureWorktree(it.worker());
  renameSync(it.root, join(it.folder, 'moved'));
  expect(() => findProject(folder)).toThrow(
    expect.objectContaining({
      code: 'no-project',
      message: `${folder} is a worktree of a repository that is no longer in ${it.root}/.git.`,
      hint: expect.stringContaining(`git worktree repair '${folder}'`),
    }),
  );
  it.gitIn(join(it.folder, 'moved'), 'worktree', 'repair', folder);
  const root = join(it.folder, 'moved');
  expect(findProject(folder)).toEqual({ root, insideStory: 'x' });
});

test('of older versions: inside a story worktree the project is the one around it', () => {
  using folder = createTempFolder();
  const root = folder.path;
  const worktree = join(root, '.saga/worktrees/cart-api');
  mkdirSync(join(worktree, '.saga'), { recursive: true });
  mkdirSync(join(worktree, 'src/deep'), { recursive: true });
  expect(findProject(worktree)).toEqual({ root, insideStory: 'cart-api' });
  expect(findProject(join(worktree, 'src/deep'))).toEqual({ root, insideStory: 'cart-api' });
});

test('a worktree whose branch has no .saga yet belongs to the project all the same', () => {
  using folder = createTempFolder();
  const worktree = join(folder.path, '.saga/worktrees/cart-api/src');
  mkdirSync(worktree, { recursive: true });
  expect(findProject(worktree)).toMatchObject({ root: folder.path, insideStory: 'cart-api' });
});

test('a link into the project leads to it; a file called .saga does not count', () => {
  using folder = createTempFolder();
  const root = join(folder.path, 'project');
  mkdirSync(join(root, '.saga'), { recursive: true });
  mkdirSync(join(root, 'src'));
  symlinkSync(join(root, 'src'), join(folder.path, 'link'));
  expect(findProject(join(folder.path, 'link'))).toEqual({ root });
  mkdirSync(join(root, 'sub'));
  writeFileSync(join(root, 'sub/.saga'), '');
  expect(findProject(join(root, 'sub'))).toEqual({ root });
});

test('no project is said with what to do', () => {
  using folder = createTempFolder();
  expect(() => findProject(folder.path)).toThrow(
    expect.objectContaining({ code: 'no-project', hint: expect.stringContaining('saga init') }),
  );
  expect(() => findProject(join(folder.path, 'missing'))).toThrow(/does not exist/);
});

test('the top of a repository is found without git', () => {
  using folder = createTempFolder();
  mkdirSync(join(folder.path, 'a/b'), { recursive: true });
  expect(findGitRoot(folder.path)).toBeUndefined();
  writeFileSync(join(folder.path, 'a/.git'), 'gitdir: elsewhere\n');
  expect(findGitRoot(join(folder.path, 'a/b'))).toBe(join(folder.path, 'a'));
});
