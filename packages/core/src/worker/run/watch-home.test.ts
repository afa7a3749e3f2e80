import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../../test/rig/project/project.ts';
import { loadStory } from '../../plan/stories.ts';
import { pinWorktree } from '../../project/story-worktrees.ts';
import { ensureWorktree } from '../prepare/ensure-worktree.ts';
import { StatusSync } from './status-sync.ts';
import { findMissing } from './watch-home.ts';

test('what a run needs is missed, and no status goes into the main checkout', async () => {
  using it = createProject();
  it.story('x');
  const worktree = await ensureWorktree(it.worker());
  const paths = pinWorktree(it.paths, 'x', worktree.folder);
  const home = join(worktree.folder, '.saga/stories/x');
  const sync = new StatusSync(it.worker({}, { paths }), () => {});
  const main = it.read('.saga/stories/x/one.json');
  expect(findMissing(worktree, 'x')).toBeUndefined();

  rmSync(home, { recursive: true });
  expect(findMissing(worktree, 'x')).toEqual({ cause: 'plan-gone', detail: `${home} is gone` });
  sync.add('one', 'completed');
  await sync.settled();
  expect(it.said('sync:failed')).toMatchObject([
    { task: 'one', reason: expect.stringContaining(home) },
  ]);
  expect(() => loadStory(paths, 'x')).toThrow(`${home} is gone`);
  // On another branch, or in a rebase, the plan comes back with the branch.
  mkdirSync(join(worktree.gitFolder, 'rebase-merge'));
  expect(findMissing(worktree, 'x')).toBeUndefined();
  rmSync(join(worktree.gitFolder, 'rebase-merge'), { recursive: true });
  it.gitIn(worktree.folder, 'checkout', '-q', '--detach');
  expect(findMissing(worktree, 'x')).toBeUndefined();

  rmSync(worktree.folder, { recursive: true });
  expect(findMissing(worktree, 'x')?.detail).toBe(`the worktree ${worktree.folder} is gone`);
  sync.add('one', 'completed');
  await sync.settled();
  expect(() => loadStory(paths, 'x')).toThrow(`The worktree ${worktree.folder} is gone`);
  expect(it.read('.saga/stories/x/one.json')).toBe(main);

  // A client that writes a file makes the folder anew.
  mkdirSync(worktree.folder);
  writeFileSync(join(worktree.folder, 'late.txt'), 'late\n');
  expect(findMissing(worktree, 'x')?.cause).toBe('worktree-gone');
  expect(() => loadStory(paths, 'x')).toThrow(`The worktree ${worktree.folder} is gone`);
});

test('a worktree whose link a run removed is still there', async () => {
  using it = createProject();
  it.story('x');
  const worktree = await ensureWorktree(it.worker());
  rmSync(join(worktree.folder, '.git'));
  expect(findMissing(worktree, 'x')).toBeUndefined();
});

test('a worktree that a run replaced by a link to itself is gone', async () => {
  using it = createProject();
  it.story('x');
  const worktree = await ensureWorktree(it.worker());
  rmSync(worktree.folder, { recursive: true });
  symlinkSync(worktree.folder, worktree.folder);
  expect(findMissing(worktree, 'x')?.cause).toBe('worktree-gone');
});
