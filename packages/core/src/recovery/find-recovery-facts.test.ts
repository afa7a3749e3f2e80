import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { findRecoveryFacts } from './find-recovery-facts.ts';

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
