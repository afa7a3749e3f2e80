import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { openGit } from '../git/git.ts';
import { buildRehearsalPaths, storyBranch, worktreeName } from '../project/paths.ts';
import { discardRehearsal, isRehearsal, markRehearsal } from './discard-rehearsal.ts';
import { lockRehearsal } from './rehearsal-lock.ts';

/** What a rehearsal of story x made, and what a person has beside it. */
async function createRehearsed(isMarked: boolean) {
  const it = createProject();
  it.story('x');
  const paths = buildRehearsalPaths(it.root);
  const git = openGit(it.root, it.env);
  const branch = storyBranch(paths, 'x');
  const folder = join(it.worktrees, worktreeName(paths, 'x'));
  if (isMarked) await markRehearsal(git, branch);
  it.git('worktree', 'add', '-q', '-b', branch, folder);
  it.git('update-ref', `refs/remotes/origin/${branch}`, 'HEAD');
  return { ...it, paths, own: git, branch, made: folder };
}

const refs = (it: Project) => it.git('for-each-ref', '--format=%(refname)').trim().split('\n');

test('what a rehearsal made is removed, and nothing else; again, it does nothing', async () => {
  using it = await createRehearsed(true);
  it.git('branch', 'mine');
  const before = refs(it).filter((ref) => !ref.includes(it.branch));
  expect(await isRehearsal(it.own, it.branch)).toBe(true);
  for (let again = 0; again < 2; again++) {
    expect(await discardRehearsal(it.own, it.paths, 'x')).toBeUndefined();
    expect(refs(it)).toEqual(before);
    expect(existsSync(it.worktrees)).toBe(false);
  }
  expect(await isRehearsal(it.own, it.branch)).toBe(false);
});

test('a branch of that name that a person made stays', async () => {
  using it = await createRehearsed(false);
  await discardRehearsal(it.own, it.paths, 'x');
  expect(refs(it)).toContain(`refs/heads/${it.branch}`);
});

test('what a person changed in a kept rehearsal is saved first, and can be had back', async () => {
  using it = await createRehearsed(true);
  const tip = await it.own.resolve(it.branch);
  await markRehearsal(it.own, it.branch, tip);
  writeFileSync(join(it.made, 'mine.txt'), 'mine\n');
  const aside = await discardRehearsal(it.own, it.paths, 'x');
  expect(aside).toMatch(/^refs\/saga\/trash\//);
  expect(it.git('show', `${aside}:mine.txt`)).toBe('mine\n');
  expect(existsSync(it.made)).toBe(false);
});

test('a kept rehearsal that nobody touched leaves nothing in the trash', async () => {
  using it = await createRehearsed(true);
  await markRehearsal(it.own, it.branch, await it.own.resolve(it.branch));
  expect(await discardRehearsal(it.own, it.paths, 'x')).toBeUndefined();
});

test('a second rehearsal of a story is refused while the first lives, and then begins', async () => {
  using it = createProject();
  const paths = buildRehearsalPaths(it.root);
  mkdirSync(paths.locks, { recursive: true });
  const first = await lockRehearsal(paths, 'x');
  await expect(lockRehearsal(paths, 'x')).rejects.toMatchObject({
    code: 'in-flight',
    message: `Story x is being rehearsed already (process ${process.pid}).`,
    hint: expect.stringContaining(`kill ${process.pid}`),
  });
  using _other = await lockRehearsal(paths, 'y');
  first[Symbol.dispose]();
  using _second = await lockRehearsal(paths, 'x');
});
