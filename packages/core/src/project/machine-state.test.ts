import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { buildPaths } from './paths.ts';
import { readWorktreesFolder } from './worktrees-folder.ts';

test('all checkouts of a repository have one place for locks and records, and one for worktrees', () => {
  using it = createProject({ name: 'shop' });
  const home = join(it.root, '.git/saga/runs');
  const near = join(it.folder, 'near');
  const inside = join(it.root, '.claude/worktrees/far');
  it.git('worktree', 'add', '-q', near);
  it.git('worktree', 'add', '-q', inside);
  for (const root of [it.root, near, inside]) {
    const paths = buildPaths(root);
    expect(paths).toMatchObject({ runs: home, locks: join(home, 'locks') });
    expect(paths.innerWorktrees).toBe(join(it.root, '.saga/worktrees'));
    expect(readWorktreesFolder(paths)).toBe(join(it.folder, 'shop.stories'));
    // A plan appears in one step in its own checkout, which may be on another disk.
    expect(paths.staging).toBe(join(root, '.saga/runs/staging'));
  }
});

test.each([
  ['shop.git', 'shop.stories'],
  ['shop/.bare', 'shop.stories'],
])('so do the checkouts of the bare repository %s', (name, stories) => {
  using it = createProject();
  const bare = join(it.folder, name);
  it.git('clone', '-q', '--bare', '.', bare);
  const roots = ['one', 'two'].map((branch) => join(it.folder, 'shop', branch));
  for (const root of roots) it.gitIn(bare, 'worktree', 'add', '-q', root);
  for (const root of roots) {
    const paths = buildPaths(root);
    expect(paths.runs).toBe(join(bare, 'saga/runs'));
    expect(readWorktreesFolder(paths)).toBe(join(it.folder, stories));
    expect(paths.innerWorktrees).toBe(join(root, '.saga/worktrees'));
  }
});

test('a repository that was moved takes them along', () => {
  using it = createProject();
  const linked = join(it.folder, 'linked');
  it.git('worktree', 'add', '-q', linked);
  mkdirSync(buildPaths(linked).sessions, { recursive: true });
  const moved = join(it.folder, 'moved');
  renameSync(it.root, moved);
  it.gitIn(moved, 'worktree', 'repair', linked);
  const { sessions } = buildPaths(moved);
  expect(sessions).toBe(join(moved, '.git/saga/runs/sessions'));
  expect(buildPaths(linked).sessions).toBe(sessions);
});

test('a submodule is a repository of its own', () => {
  using it = createProject();
  it.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', it.origin, 'part');
  const runs = join(it.root, '.git/modules/part/saga/runs');
  expect(buildPaths(join(it.root, 'part')).runs).toBe(runs);
  const linked = join(it.folder, 'linked');
  it.gitIn(join(it.root, 'part'), 'worktree', 'add', '-q', linked);
  expect(buildPaths(linked).runs).toBe(runs);
});

test('a project without git keeps them in .saga', () => {
  using folder = createTempFolder();
  expect(buildPaths(folder.path).runs).toBe(join(folder.path, '.saga/runs'));
});
