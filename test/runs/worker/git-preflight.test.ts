import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWhole } from '../../rig/project/project.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

test.each<[string, (it: Workshop) => void, string]>([
  [
    'no commit',
    (it) => {
      rmSync(join(it.root, '.git'), { recursive: true });
      it.git('init', '-q');
    },
    'has no commit yet, so there is nothing to branch from.',
  ],
  [
    'no repository',
    (it) => rmSync(join(it.root, '.git'), { recursive: true }),
    'is not the top folder of a git repository.',
  ],
  [
    '.saga below the top of the repository',
    (it) => {
      rmSync(join(it.root, '.git'), { recursive: true });
      it.git('init', '-q', '..');
    },
    'is not the top folder of a git repository.',
  ],
  [
    'nobody who commits',
    (it) => writeFileSync(join(it.home, '.gitconfig'), '[user]\n\tuseConfigOnly = true\n'),
    'git has no name and email for commits in ',
  ],
  [
    'a plan that git ignores',
    (it) => writeFileSync(join(it.root, '.gitignore'), 'node_modules\n/.saga\n'),
    'git ignores .saga/stories/x/story.json in ',
  ],
])('with %s nothing happens but a clear error', async (_, act, words) => {
  await using it = await createWorkshop();
  it.story('x');
  act(it);
  const look = () => [
    readWhole(it.root).replace(/^.*\.saga\/cache.*\n/gm, ''),
    readWhole(it.origin),
  ];
  const before = look();
  const { code, stdout, stderr } = await it.saga(['worker', 'x']);
  expect(code).toBe(1);
  expect(stdout + stderr).toContain(words);
  expect(look()).toEqual(before);
  expect(it.github.requests).toEqual([]);
  expect(it.model.requests).toEqual([]);
});

test('a foreign folder in place of the worktree stops it before anything is pushed', async () => {
  await using it = await createWorkshop();
  it.story('x');
  mkdirSync(join(it.root, '../project.stories/x'), { recursive: true });
  it.write('../project.stories/x/mine.txt', 'mine\n');
  const { code, stderr } = await it.saga(['worker', 'x']);
  expect(code).toBe(1);
  expect(stderr).toContain('not a worktree of this repository');
  expect(it.git('branch', '--list', 'story/*')).toBe('');
  expect(it.model.requests).toEqual([]);
});
