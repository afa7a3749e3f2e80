import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, type Project, readWhole } from '../../../../../test/rig/project/project.ts';
import { loadStory, saveTaskFields } from '../../plan/stories.ts';
import { ensureWorktree } from './ensure-worktree.ts';

const LIVE = '../project.stories/x/.saga/stories/x';
const titleOf = (it: Project) => loadStory(it.paths, 'x').story.title;

function edit(it: Project, file: string, title: string): void {
  it.write(file, { ...JSON.parse(it.read(file)), title });
}

test('a story that is in no commit is carried, and the main checkout keeps it as it was', async () => {
  using it = createProject();
  it.story('x');
  it.write('README.md', '# Changed, and staged\n');
  it.git('add', 'README.md');
  it.write('README.md', '# Changed, staged, and changed again\n');
  it.write('new.txt', 'new\n');
  it.git('rm', '-q', '--cached', '.saga/config.json');
  const look = () => [
    it.git('status', '--porcelain'),
    it.git('ls-files', '-s'),
    it.git('hash-object', '--no-filters', '.git/index'),
    it.git('rev-parse', 'HEAD', '--abbrev-ref', 'HEAD'),
    readWhole(it.paths.stories),
    it.read('README.md'),
  ];
  const before = look();
  const { git } = await ensureWorktree(it.worker());
  expect(look()).toEqual(before);
  expect(await git.run(['log', '--format=%s', 'main..HEAD'])).toBe('saga: begin story x');
  expect(await git.run(['status', '--porcelain'])).toBe('');
  expect(JSON.parse(it.read(`${LIVE}/story.json`))).toMatchObject({
    branch: 'story/x',
    worktree: '../project.stories/x',
  });
});

test('a committed story that was edited since is carried as it is now, removed tasks too', async () => {
  using it = createProject();
  it.story('x', {}, { one: {}, gone: {} });
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan');
  it.git('push', '-q');
  edit(it, '.saga/stories/x/story.json', 'Better');
  rmSync(join(it.paths.stories, 'x/gone.json'));
  const { git } = await ensureWorktree(it.worker());
  expect(titleOf(it)).toBe('Better');
  expect(loadStory(it.paths, 'x').tasks.map((task) => task.id)).toEqual(['one']);
  expect(await git.run(['status', '--porcelain'])).toBe('');
});

test('killed in the middle of the copy, its beginning is removed the next time', async () => {
  using it = createProject();
  it.story('x');
  it.git('branch', 'story/x');
  it.git('worktree', 'add', '-q', '../project.stories/x', 'story/x');
  it.write('../project.stories/x/.saga/stories/.4711.carry.tmp/story.json', '{');
  const { git } = await ensureWorktree(it.worker());
  expect(readdirSync(join(it.worktrees, 'x/.saga/stories'))).toEqual(['x']);
  expect(await git.run(['status', '--porcelain'])).toBe('');
});

test('edited in the worktree before the first run, that copy counts', async () => {
  using it = createProject();
  it.story('x');
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan');
  it.git('push', '-q');
  it.git('worktree', 'add', '-q', '../project.stories/x', '-b', 'story/x');
  edit(it, `${LIVE}/story.json`, 'Edited there');
  edit(it, '.saga/stories/x/story.json', 'Edited in main');
  await ensureWorktree(it.worker());
  expect(titleOf(it)).toBe('Edited there');
});

test('cut off between the worktree and the commit, the plan is carried the next time', async () => {
  using it = createProject();
  it.story('x');
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan');
  it.git('push', '-q');
  it.git('worktree', 'add', '-q', '../project.stories/x', '-b', 'story/x');
  edit(it, '.saga/stories/x/story.json', 'Edited in main');
  await ensureWorktree(it.worker());
  expect(titleOf(it)).toBe('Edited in main');
});

test.each([
  ['its worktree still there', () => {}],
  [
    'its worktree deleted',
    (it: Project) => rmSync(join(it.root, '../project.stories/x'), { recursive: true }),
  ],
  [
    'only its branch on the remote left',
    (it: Project) => {
      it.git('worktree', 'remove', '--force', '../project.stories/x');
      it.git('branch', '-qD', 'story/x');
    },
  ],
])('after its branch was merged on the remote it stays completed, %s', async (_, act) => {
  using it = createProject();
  it.story('x', {}, { one: {} });
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan');
  it.git('push', '-q');
  const { git } = await ensureWorktree(it.worker());
  await saveTaskFields(it.paths, 'x', 'one', { status: 'completed' });
  await git.run(['commit', '-qam', 'Work']);
  await git.run(['push', '-q', 'origin', 'story/x', 'story/x:main']);
  act(it);
  await ensureWorktree(it.worker());
  expect(loadStory(it.paths, 'x').tasks).toMatchObject([{ status: 'completed' }]);
});

test('a branch that is only here, or only on the remote, is gone on with', async () => {
  using it = createProject();
  it.story('x');
  const first = await ensureWorktree(it.worker());
  writeFileSync(join(first.folder, 'work.txt'), 'work\n');
  await first.git.run(['add', '-A']);
  await first.git.run(['commit', '-q', '-m', 'Work']);
  const head = await first.git.run(['rev-parse', 'HEAD']);
  it.git('worktree', 'remove', '../project.stories/x');
  const second = await ensureWorktree(it.worker());
  expect(await second.git.run(['rev-parse', 'HEAD'])).toBe(head);
  await second.git.run(['push', '-q', 'origin', 'story/x']);
  it.git('worktree', 'remove', '../project.stories/x');
  it.git('branch', '-qD', 'story/x');
  it.git('update-ref', '-d', 'refs/remotes/origin/story/x');
  const third = await ensureWorktree(it.worker());
  expect(await third.git.run(['rev-parse', 'HEAD'])).toBe(head);
});

test.each([
  ['.gitignore', '.gitignore, line 1: .saga/'],
  ['.git/info/exclude', '.git/info/exclude, line 1: .saga/'],
])('a plan that git ignores by %s is an error that names the line', async (file, words) => {
  using it = createProject();
  it.story('x');
  it.write(file, '.saga/\n');
  it.git('add', '-A');
  it.git('commit', '-q', '--allow-empty', '-m', 'Ignore');
  it.git('push', '-q');
  await expect(ensureWorktree(it.worker())).rejects.toMatchObject({
    code: 'git-failed',
    message: expect.stringContaining(words),
    hint: expect.stringContaining('Remove that line from'),
  });
});
