import { join } from 'node:path';
import { Config } from '@saga-ai/types/config';
import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { loadRefs } from '../git/branches.ts';
import { openGit } from '../git/git.ts';
import { openKnownBases } from '../overview/facts/base-branches.ts';
import { countCommits } from './count-commits.ts';
import { findRecoveryFacts } from './find-recovery-facts.ts';

test('a story of an epic that a person merged into the default branch has nothing left', async () => {
  using it = createProject({ remote: null });
  it.story('x');
  it.epic('shop', { x: [] });
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan');
  it.git('branch', 'epic/shop');
  it.git('checkout', '-q', '-b', 'story/x');
  it.git('commit', '-q', '--allow-empty', '-m', 'Own work');
  it.git('checkout', '-q', 'main');
  it.git('merge', '-q', '--no-ff', '-m', 'By hand', 'story/x');
  const basesOf = openKnownBases(
    it.paths,
    Config.parse({}),
    await loadRefs(openGit(it.root, it.env)),
  );
  const [ofEpic, ofProject] = ['epic/shop', 'main'].map((ref) => it.git('rev-parse', ref).trim());
  expect(basesOf('x')).toEqual([ofEpic, ofProject]);
  const tip = it.git('rev-parse', 'story/x').trim();
  const counted = await countCommits(openGit(it.root, it.env), [
    { id: 'x', tip, bases: basesOf('x') },
  ]);
  expect(counted.get('x')).toEqual({ ahead: 0, unpushed: 0 });
});

test('commits of a story are counted from the branch of its epic, where its siblings are merged', async () => {
  using it = createProject({ remote: null });
  const commit = (title: string) => {
    it.git('add', '-A');
    it.git('commit', '-q', '-m', title);
  };
  it.story('x');
  it.epic('shop', { x: [] });
  commit('Plan');
  it.git('checkout', '-q', '-b', 'epic/shop');
  for (const sibling of ['cart', 'pay']) {
    it.write(`${sibling}.txt`, `${sibling}\n`);
    commit(`Merge ${sibling}`);
  }
  it.git('checkout', '-q', '-b', 'story/x');
  it.write('own.txt', 'own\n');
  commit('Own work');
  it.git('checkout', '-q', 'main');

  const find = async () =>
    (await findRecoveryFacts(it.paths, it.env, join(it.home, '.claude'))).details.get('x');
  expect(await find()).toMatchObject({ ahead: 1 });

  it.write('.saga/config.json', { epic: { integrate: 'review' } });
  expect(await find()).toMatchObject({ ahead: 3 });
});
