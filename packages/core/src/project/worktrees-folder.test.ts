import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKTREE_FOLDER } from '@saga-ai/types/words/names';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { loadConfig } from '../plan/config.ts';
import { buildPaths } from './paths.ts';
import {
  chooseWorktreesFolder,
  findHiddenPart,
  readWorktreesFolder,
  resolveWorktreesFolder,
} from './worktrees-folder.ts';

test.each([
  ['/code/shop', WORKTREE_FOLDER, '/code/shop.stories'],
  ['/code/my shop', WORKTREE_FOLDER, '/code/my shop.stories'],
  ['/repo', WORKTREE_FOLDER, '/repo.stories'],
  ['/code/.dotfiles', WORKTREE_FOLDER, '/code/dot-dotfiles.stories'],
  ['/', WORKTREE_FOLDER, '/root.stories'],
  ['/code/shop', 'trees', '/code/shop/trees'],
  ['/code/shop', '/fast/<repository>', '/fast/shop'],
  ['/code/shop', '~/stories/<repository>', '/home/me/stories/shop'],
  ['/code/shop', '~', '/home/me'],
  ['/code/shop', '~other/x', '/code/shop/~other/x'],
])('of %s, %s is %s', (root, setting, folder) => {
  expect(resolveWorktreesFolder(root, setting, '/home/me')).toBe(folder);
});

test.each([
  ['/code/shop.stories', undefined],
  ['/home/me/.cache/x', '.cache'],
  ['/code/shop/../x', undefined],
  ['/code/...odd', undefined],
])('%s: the hidden part is %s', (path, hidden) => {
  expect(findHiddenPart(path)).toBe(hidden);
});

test('where nothing can be made beside the repository, it is inside, with the reason', () => {
  using it = createTempFolder();
  const paths = buildPaths(join(it.path, 'shop'));
  const beside = `${paths.root}.stories`;
  mkdirSync(paths.saga, { recursive: true });
  const choose = (setting = WORKTREE_FOLDER) => chooseWorktreesFolder(paths, setting);
  expect(choose()).toEqual({ folder: beside });
  mkdirSync(join(beside, '.git'), { recursive: true });
  expect(choose()).toEqual({
    folder: paths.innerWorktrees,
    reason: `${beside} is a repository of its own`,
  });
  // A place that a person named has no stand-in.
  expect(choose('../shop.stories')).toEqual({ folder: beside });
  expect(choose('trees')).toEqual({ folder: join(paths.root, 'trees') });
});

test('a file, and a link to nowhere, in its place', () => {
  using it = createTempFolder();
  const paths = buildPaths(join(it.path, 'shop'));
  writeFileSync(`${paths.root}.stories`, '');
  expect(chooseWorktreesFolder(paths, WORKTREE_FOLDER).reason).toBe(
    `${paths.root}.stories is a file`,
  );
  symlinkSync(join(it.path, 'nowhere'), join(it.path, 'link'));
  expect(chooseWorktreesFolder(paths, '../link')).toEqual({ folder: join(it.path, 'link') });
});

test('readers take the setting from the file, and the default from one that is broken', () => {
  using it = createTempFolder();
  const paths = buildPaths(join(it.path, 'shop'));
  mkdirSync(paths.saga, { recursive: true });
  expect(readWorktreesFolder(paths)).toBe(`${paths.root}.stories`);
  writeFileSync(paths.config, '{"worktree":{"folder":"/fast/<repository>"}}');
  expect(readWorktreesFolder(paths)).toBe('/fast/shop');
  writeFileSync(paths.config, '\uFEFF{"worktree":{"folder":"/marked"}}');
  expect(readWorktreesFolder(paths)).toBe('/marked');
  for (const text of ['{"worktree":{"folder":7}}', '{"worktree":', 'null', '']) {
    writeFileSync(paths.config, text);
    expect(readWorktreesFolder(paths)).toBe(`${paths.root}.stories`);
  }
});

test('readers that have the environment take the setting from where a worker takes it', () => {
  using it = createTempFolder();
  const paths = buildPaths(join(it.path, 'shop'));
  const env = { XDG_CONFIG_HOME: join(it.path, 'config') };
  mkdirSync(paths.saga, { recursive: true });
  mkdirSync(join(it.path, 'config/saga'), { recursive: true });
  const isSameAsWorker = (variables: Record<string, string>) => {
    const { folder } = loadConfig(paths, { environment: variables }).config.worktree;
    return readWorktreesFolder(paths, variables) === resolveWorktreesFolder(paths.root, folder);
  };
  writeFileSync(join(it.path, 'config/saga/config.json'), '{"worktree":{"folder":"/person"}}');
  expect(readWorktreesFolder(paths, env)).toBe('/person');
  expect(isSameAsWorker(env)).toBe(true);
  writeFileSync(paths.config, '{"worktree":{"folder":"/project"}}');
  expect(readWorktreesFolder(paths, env)).toBe('/project');
  expect(isSameAsWorker(env)).toBe(true);
  const named = { ...env, SAGA_WORKTREE_FOLDER: '/variable' };
  expect(readWorktreesFolder(paths, named)).toBe('/variable');
  expect(isSameAsWorker(named)).toBe(true);
});
