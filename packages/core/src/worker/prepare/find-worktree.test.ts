import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, readWhole } from '../../../../../test/rig/project/project.ts';
import { buildPaths } from '../../project/paths.ts';
import { findStoryHome } from '../../project/story-home.ts';
import { ensureWorktree } from './ensure-worktree.ts';

const WORKTREE = '../project.stories/x';

/** A project whose story has a worktree already, with one commit and one file that is in none. */
async function createBegun() {
  const it = createProject();
  it.story('x');
  const worktree = await ensureWorktree(it.worker());
  writeFileSync(join(worktree.folder, 'done.txt'), 'done\n');
  await worktree.git.run(['add', 'done.txt']);
  await worktree.git.run(['commit', '-q', '-m', 'Work']);
  writeFileSync(join(worktree.folder, 'half.txt'), 'half\n');
  const head = await worktree.git.run(['rev-parse', 'HEAD']);
  it.events.length = 0;
  return Object.assign(it, { tree: worktree.folder, head });
}

test('a worktree that is there is found as it is', async () => {
  using it = await createBegun();
  const before = readWhole(join(it.root, WORKTREE));
  const { folder, branch } = await ensureWorktree(it.worker());
  expect({ folder, branch }).toEqual({ folder: it.tree, branch: 'story/x' });
  expect(readWhole(join(it.root, WORKTREE))).toBe(before);
  expect(it.said('worktree:found')).toHaveLength(1);
});

test.each([
  ['deleted by hand', (tree: string) => rmSync(tree, { recursive: true })],
  [
    'emptied by hand',
    (tree: string) => {
      rmSync(tree, { recursive: true });
      mkdirSync(tree);
    },
  ],
])('%s, it is made again from its branch', async (_, act) => {
  using it = await createBegun();
  act(it.tree);
  const main = readWhole(join(it.root, '.saga/stories'));
  const { git } = await ensureWorktree(it.worker());
  expect(await git.run(['rev-parse', 'HEAD'])).toBe(it.head);
  expect(it.read(`${WORKTREE}/done.txt`)).toBe('done\n');
  expect(readWhole(join(it.root, '.saga/stories'))).toBe(main);
  expect(it.git('status', '--porcelain')).toBe('?? .saga/stories/\n');
});

test('without its .git file it is tied to its repository again, and keeps all files', async () => {
  using it = await createBegun();
  rmSync(join(it.tree, '.git'));
  const { git } = await ensureWorktree(it.worker());
  expect(await git.run(['status', '--porcelain'])).toBe('?? half.txt');
});

test('one that git was killed over is made anew: half of its files would be taken for deleted', async () => {
  using it = await createBegun();
  rmSync(join(it.tree, 'half.txt'));
  rmSync(join(it.tree, 'README.md'));
  writeFileSync(join(it.root, '.git/worktrees/x/locked'), 'initializing');
  const { git } = await ensureWorktree(it.worker());
  expect(await git.run(['status', '--porcelain'])).toBe('');
});

test('a lock that a killed git left is no obstacle', async () => {
  using it = await createBegun();
  writeFileSync(join(it.root, '.git/worktrees/x/index.lock'), '');
  writeFileSync(join(it.root, '.git/refs/heads/story/x.lock'), '');
  const { git } = await ensureWorktree(it.worker());
  await git.run(['commit', '-q', '--allow-empty', '-m', 'It works']);
  expect(it.said('git:unlocked').map((event) => event.lock)).toEqual([
    'index.lock',
    'story/x.lock',
  ]);
});

test('a project that was renamed goes on in the worktrees it had; new ones get its new name', async () => {
  using it = await createBegun();
  it.story('y');
  await ensureWorktree(it.worker({}, { storyId: 'y' }));
  const moved = join(it.folder, 'moved here');
  renameSync(it.root, moved);
  const paths = buildPaths(moved);
  expect(findStoryHome(paths, 'x')).toBe(join(it.tree, '.saga/stories/x'));
  const { folder, git } = await ensureWorktree(it.worker({}, { paths }));
  expect(folder).toBe(it.tree);
  expect(await git.run(['status', '--porcelain'])).toBe('?? half.txt');
  const y = await ensureWorktree(it.worker({}, { paths, storyId: 'y' }));
  expect(await y.git.run(['log', '-1', '--format=%s'])).toBe('saga: begin story y');
  rmSync(folder, { recursive: true });
  const again = await ensureWorktree(it.worker({}, { paths }));
  expect(again.folder).toBe(join(it.folder, 'moved here.stories/x'));
});

test('a project that was moved with its worktrees finds them beside itself', async () => {
  using it = await createBegun();
  mkdirSync(join(it.folder, 'there'));
  for (const name of ['project', 'project.stories']) {
    renameSync(join(it.folder, name), join(it.folder, 'there', name));
  }
  const paths = buildPaths(join(it.folder, 'there/project'));
  const tree = join(it.folder, 'there/project.stories/x');
  expect(findStoryHome(paths, 'x')).toBe(join(tree, '.saga/stories/x'));
  const { folder, git } = await ensureWorktree(it.worker({}, { paths }));
  expect(folder).toBe(tree);
  expect(await git.run(['status', '--porcelain'])).toBe('?? half.txt');
});

test('a copy of the project does not take the worktrees of the original', async () => {
  using it = await createBegun();
  const copy = join(it.folder, 'copy');
  cpSync(it.root, copy, { recursive: true });
  const before = [it.root, copy, it.worktrees].map(readWhole);
  const paths = buildPaths(copy);
  expect(findStoryHome(paths, 'x')).toBe(join(copy, '.saga/stories/x'));
  const asked = it.worker({}, { paths });
  const thrown = await ensureWorktree(asked).catch((error: unknown) => error);
  expect(thrown).toMatchObject({
    code: 'worktree-taken',
    message: `This repository is a copy: it lists ${it.tree} with branch story/x, which belongs to ${join(it.root, '.git')}.`,
    hint: `Remove the entry from the copy: rm -r ${join(copy, '.git/worktrees/x')}`,
  });
  expect([it.root, copy, it.worktrees].map(readWhole)).toEqual(before);
  rmSync(join(copy, '.git/worktrees/x'), { recursive: true });
  expect((await ensureWorktree(asked)).folder).toBe(join(it.folder, 'copy.stories/x'));
  expect(readWhole(it.worktrees)).toBe(before[2]);
});

test('a copy with its worktrees beside it does not take those of the original either', async () => {
  using it = await createBegun();
  const there = join(it.folder, 'there');
  for (const name of ['project', 'project.stories']) {
    cpSync(join(it.folder, name), join(there, name), { recursive: true });
  }
  const before = readWhole(there);
  const paths = buildPaths(join(there, 'project'));
  expect(findStoryHome(paths, 'x')).toBe(join(there, 'project/.saga/stories/x'));
  await expect(ensureWorktree(it.worker({}, { paths }))).rejects.toMatchObject({
    code: 'worktree-taken',
    message: `${join(there, 'project.stories/x')} exists, but it is not a worktree of this repository.`,
  });
  expect(readWhole(there)).toBe(before);
});

test('a worktree of an older version is found inside the project, and goes on there', async () => {
  using it = createProject();
  it.story('x');
  it.git('add', '-A');
  it.git('commit', '-qm', 'Plan');
  const tree = join(it.root, '.saga/worktrees/x');
  it.git('worktree', 'add', '-q', '-b', 'story/x', tree);
  expect(findStoryHome(it.paths, 'x')).toBe(join(tree, '.saga/stories/x'));
  expect((await ensureWorktree(it.worker())).folder).toBe(tree);
  // With the project it is moved, and git does not know yet.
  const moved = join(it.folder, 'moved');
  renameSync(it.root, moved);
  const paths = buildPaths(moved);
  expect(findStoryHome(paths, 'x')).toBe(join(moved, '.saga/worktrees/x/.saga/stories/x'));
  const { folder, git } = await ensureWorktree(it.worker({}, { paths }));
  expect(folder).toBe(join(moved, '.saga/worktrees/x'));
  expect(await git.run(['status', '--porcelain'])).toBe('');
});

test('what a run does to its checkout does not change which copy of the story counts', async () => {
  using it = await createBegun();
  const home = join(it.tree, '.saga/stories/x');
  it.gitIn(it.tree, 'switch', '-q', '-c', 'elsewhere');
  expect(findStoryHome(it.paths, 'x')).toBe(home);
  it.gitIn(it.tree, 'switch', '-q', '--detach');
  expect(findStoryHome(it.paths, 'x')).toBe(home);
  rmSync(join(it.tree, '.git'));
  expect(findStoryHome(it.paths, 'x')).toBe(home);
});

test('a checkout of the branch that a person made has the copy that counts, but no worker works there', async () => {
  using it = createProject();
  it.story('x');
  it.git('add', '-A');
  it.git('commit', '-qm', 'Plan');
  const mine = join(it.folder, 'mine');
  it.git('worktree', 'add', '-q', '-b', 'story/x', mine);
  expect(findStoryHome(it.paths, 'x')).toBe(join(mine, '.saga/stories/x'));
  await expect(ensureWorktree(it.worker())).rejects.toMatchObject({
    code: 'worktree-taken',
    message: expect.stringContaining(`is checked out in ${mine}`),
  });
});

test.each([
  ['files of somebody', (tree: string) => writeFileSync(join(tree, 'mine.txt'), 'mine\n')],
  [
    'a worktree of another repository',
    (tree: string) => {
      mkdirSync(join(tree, '../elsewhere.git/worktrees/x'), { recursive: true });
      writeFileSync(join(tree, '.git'), `gitdir: ${join(tree, '../elsewhere.git/worktrees/x')}\n`);
    },
  ],
  ['a clone', (tree: string) => mkdirSync(join(tree, '.git'))],
])('%s in its place is an error, and nothing is touched', async (_, act) => {
  using it = createProject();
  it.story('x');
  mkdirSync(join(it.root, WORKTREE), { recursive: true });
  act(join(it.root, WORKTREE));
  const before = readWhole(it.root);
  await expect(ensureWorktree(it.worker())).rejects.toMatchObject({
    code: 'worktree-taken',
    message: expect.stringContaining('not a worktree of this repository'),
    hint: expect.stringContaining('mv '),
  });
  expect(readWhole(it.root)).toBe(before);
});

test('a worktree of another repository is not taken over, though ours stood there once', async () => {
  using it = await createBegun();
  const other = join(it.folder, 'other');
  it.gitIn(it.folder, 'clone', '-q', it.origin, other);
  rmSync(it.tree, { recursive: true });
  it.gitIn(other, 'worktree', 'add', '-q', '-b', 'theirs', it.tree);
  const before = [readWhole(it.root), readWhole(other)];
  await expect(ensureWorktree(it.worker())).rejects.toMatchObject({ code: 'worktree-taken' });
  expect([readWhole(it.root), readWhole(other)]).toEqual(before);
});

test('on another branch, it is an error that says how to go on', async () => {
  using it = await createBegun();
  it.gitIn(it.tree, 'switch', '-q', '-c', 'mine');
  await expect(ensureWorktree(it.worker())).rejects.toMatchObject({
    code: 'worktree-taken',
    message: `${it.tree} is on mine, but should be on story/x.`,
    hint: `Commit what is there, then: git -C ${it.tree} switch story/x`,
  });
  expect(readFileSync(join(it.tree, 'half.txt'), 'utf8')).toBe('half\n');
});

test('in the middle of a rebase that a person began, it is theirs to finish or to give up', async () => {
  using it = await createBegun();
  it.gitIn(it.tree, 'add', '-A');
  it.gitIn(it.tree, 'commit', '-q', '-m', 'Half');
  expect(() => it.gitIn(it.tree, 'rebase', '-q', '--exec', 'false', 'HEAD~1')).toThrow();
  const thrown = await ensureWorktree(it.worker()).catch((error: unknown) => error);
  expect(thrown).toMatchObject({
    message: `${it.tree} is in the middle of a rebase, which a person began.`,
    hint: expect.stringContaining(`git -C ${it.tree} rebase --continue`),
  });
});

test('a branch whose file a power cut emptied is an error whose remedy works', async () => {
  using it = await createBegun();
  writeFileSync(join(it.root, '.git/refs/heads/story/x'), '');
  const thrown = await ensureWorktree(it.worker()).catch((error: unknown) => error);
  expect(thrown).toMatchObject({
    code: 'git-failed',
    message: expect.stringContaining('Branch story/x is damaged'),
  });
  const [, remedy = ''] = /known: (.*)$/.exec((thrown as { hint: string }).hint) ?? [];
  execFileSync('sh', ['-c', remedy], { env: it.env });
  expect(await (await ensureWorktree(it.worker())).git.run(['rev-parse', 'story/x'])).toBe(it.head);
});

test('on another branch because a run was cut off, it is led back with what was committed', async () => {
  using it = await createBegun();
  it.gitIn(it.tree, 'switch', '-q', '--detach');
  it.gitIn(it.tree, 'commit', '-q', '--allow-empty', '-m', 'In the middle');
  const run = { runId: 'none', commit: it.head, listFolder: it.folder };
  writeFileSync(join(it.root, '.git/worktrees/x/saga-run.json'), JSON.stringify(run));
  const { git } = await ensureWorktree(it.worker());
  expect(await git.run(['log', '-1', '--format=%s', 'story/x'])).toBe('In the middle');
  expect(await git.run(['symbolic-ref', '--short', 'HEAD'])).toBe('story/x');
});

test('the branch checked out in the main checkout is an error whose remedy works', async () => {
  using it = createProject({ name: 'my project' });
  it.story('x');
  it.git('switch', '-q', '-c', 'story/x');
  const thrown = await ensureWorktree(it.worker()).catch((error: unknown) => error);
  expect(thrown).toMatchObject({
    code: 'worktree-taken',
    hint: `Free the branch first: git -C '${it.root}' switch --detach`,
  });
  it.git('switch', '-q', '--detach');
  expect(await ensureWorktree(it.worker())).toMatchObject({ branch: 'story/x' });
});

test('all worktrees may lie on another disk, behind a link', async () => {
  using it = createProject();
  it.story('x');
  mkdirSync(join(it.folder, 'big'));
  symlinkSync(join(it.folder, 'big'), join(it.root, '../project.stories'));
  const first = await ensureWorktree(it.worker());
  expect(first.folder).toBe(join(it.folder, 'big/x'));
  expect((await ensureWorktree(it.worker())).folder).toBe(first.folder);
});
