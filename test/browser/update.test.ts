import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../rig/project/project.ts';
import { commitAll } from '../rig/project/repository.ts';
import { expectNoBarriers, openScreen, textOf } from '../rig/screens/browser.ts';

test('a story is brought up to date from its page: the edited plan, the base, and a base that conflicts', async () => {
  using it = createProject({ remote: null });
  it.story('cart', { title: 'Cart' }, { one: {} });
  commitAll(it.gitIn, it.root, 'Plan');
  const worktree = join(it.worktrees, 'cart');
  it.git('worktree', 'add', '-q', worktree, '-b', 'story/cart');
  it.write('../project.stories/cart/README.md', '# Of the story\n');
  commitAll(it.gitIn, worktree, 'Work');
  await using screen = await openScreen(it.paths, { env: it.env });
  const page = await screen.open('/stories/cart');
  const update = page.getByRole('button', { name: /Update/ });
  const run = page.getByRole('button', { name: 'Run Cart' });
  // Nothing is new, so there is nothing to update.
  await run.waitFor();
  expect(await update.count()).toBe(0);

  it.write('.saga/stories/cart/story.json', { id: 'cart', title: 'Cart', description: 'Edited.' });
  it.write('new.txt', 'new\n');
  commitAll(it.gitIn, it.root, 'Main moved on');
  await update.waitFor();
  // The server would refuse to run the old plan.
  await run.waitFor({ state: 'detached' });
  await expectNoBarriers(page);
  await update.click();
  await page
    .getByText('Took the edited plan: story.json (description). Merged 1 commit of main.')
    .waitFor();
  await update.waitFor({ state: 'detached' });
  await run.waitFor();
  expect(it.gitIn(worktree, 'show', 'HEAD:new.txt')).toBe('new\n');
  expect(it.gitIn(worktree, 'show', 'HEAD:.saga/stories/cart/story.json')).toContain('Edited.');

  it.write('README.md', '# Of main\n');
  commitAll(it.gitIn, it.root, 'Conflict');
  await page.getByText('1 behind main').waitFor();
  await update.click();
  await page.getByText('main was not merged: both sides changed README.md.').waitFor();
  await page.getByText('The next run is told to merge it.').waitFor();
  expect(it.gitIn(worktree, 'status', '--porcelain')).toBe('');
  expect(screen.complaints).toEqual([]);
});

test('an update that is refused says why beside its button', async () => {
  using it = createProject({ remote: null });
  it.story('cart', { title: 'Cart' }, { one: {} });
  commitAll(it.gitIn, it.root, 'Plan');
  it.git('worktree', 'add', '-q', join(it.worktrees, 'cart'), '-b', 'story/cart');
  it.write('new.txt', 'new\n');
  commitAll(it.gitIn, it.root, 'Main moved on');
  const gitFolder = it.gitIn(join(it.worktrees, 'cart'), 'rev-parse', '--absolute-git-dir').trim();
  writeFileSync(join(gitFolder, 'MERGE_HEAD'), it.git('rev-parse', 'HEAD'));
  await using screen = await openScreen(it.paths, { env: it.env });
  const page = await screen.open('/stories/cart');
  await page.getByRole('button', { name: 'Update Cart' }).click();
  const said = page.getByRole('status').filter({ hasText: '✗' });
  await textOf(said).toMatch(/A merge is under way in .* merge --abort/);
});
