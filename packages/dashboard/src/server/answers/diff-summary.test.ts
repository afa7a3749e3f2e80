import type { StoryView } from '@saga-ai/types/screens/overview';
import { expect, test } from 'vitest';
import { createEvidence } from '../../../../../test/rig/project/done.ts';
import { createProject } from '../../../../../test/rig/project/project.ts';
import { cutFiles, DiffSummaries } from './diff-summary.ts';

test('of thousands of files the first are listed, and the others counted', () => {
  const all = Array.from({ length: 1500 }, (_, i) => ({ path: `${i}`, added: 1, removed: 0 }));
  const { files, omitted } = cutFiles(all);
  expect({ listed: files.length, omitted }).toEqual({ listed: 1000, omitted: 500 });
});

test.each<[string, object, { branch?: string; remote?: null }, string]>([
  ['the base that is configured', { worktree: { baseBranch: 'develop' } }, {}, 'develop'],
  [
    'a default branch of any name, without a remote',
    {},
    { branch: 'trunk', remote: null },
    'trunk',
  ],
])('a story is compared with what it starts from: %s', async (_, config, options, base) => {
  using it = createProject(options);
  it.write('.saga/config.json', config);
  if (base === 'develop') it.git('branch', 'develop');
  it.git('switch', '-q', '-c', 'story/x', base);
  it.write('new.txt', 'one\n');
  it.git('add', 'new.txt');
  it.git('commit', '-q', '-m', 'Work');
  it.git('switch', '-q', base);
  const diffs = new DiffSummaries(it.paths, it.env, () => {});
  const view = { id: 'x', branch: 'story/x', home: '.saga/stories/x' } as StoryView;
  expect(await diffs.find(view)).toEqual({
    base,
    head: 'story/x',
    files: [{ path: 'new.txt', added: 1, removed: 0 }],
    isMerged: false,
    omitted: 0,
  });
});

test.each<[string, 'merge' | 'fast-forward' | 'squash', boolean]>([
  ['a merge', 'merge', true],
  ['a fast-forward', 'fast-forward', true],
  ['a squash whose branch is gone', 'squash', false],
  ['evidence that names no commit', 'squash', true],
])('a merged story still shows what it changed: %s', async (name, how, knowsCommits) => {
  using it = createProject();
  const base = it.git('rev-parse', 'main').trim();
  it.git('switch', '-q', '-c', 'story/x');
  it.write('new.txt', 'one\n');
  it.git('add', 'new.txt');
  it.git('commit', '-q', '-m', 'Work');
  const head = it.git('rev-parse', 'HEAD').trim();
  const commits = name.startsWith('evidence') ? { base: '--all', head: '-x' } : { base, head };
  const evidence = createEvidence('x', commits);
  it.write('.saga/stories/x/evidence.json', evidence);
  it.git('add', '-f', '.saga/stories/x');
  it.git('commit', '-q', '-m', 'Evidence');
  it.git('switch', '-q', 'main');
  if (how !== 'fast-forward') {
    it.write('other.txt', 'main moved on\n');
    it.git('add', 'other.txt');
    it.git('commit', '-q', '-m', 'Other');
  }
  if (how === 'squash') {
    it.git('merge', '-q', '--squash', 'story/x');
    it.git('commit', '-q', '-m', 'Squashed');
  } else it.git('merge', '-q', 'story/x');
  it.git('push', '-q', 'origin', 'main');
  if (!knowsCommits) {
    it.git('branch', '-q', '-D', 'story/x');
    it.git('reflog', 'expire', '--expire=now', '--all');
    it.git('gc', '-q', '--prune=now');
  }
  const diffs = new DiffSummaries(it.paths, it.env, () => {});
  const view = { id: 'x', branch: null, home: '.saga/stories/x', state: 'done' } as StoryView;
  const diff = await diffs.find(view);
  expect(diff).toMatchObject({ isMerged: true, omitted: 0 });
  expect(diff?.files.filter(({ path }) => !path.startsWith('.saga/'))).toEqual([
    { path: 'new.txt', added: 1, removed: 0 },
  ]);
});
