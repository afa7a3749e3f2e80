import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { commitAll } from '../../../../test/rig/project/repository.ts';
import { openGit } from '../git/git.ts';
import type { EpicRun } from './context.ts';
import { Foresight } from './foretell.ts';
import type { EpicItem } from './layout.ts';

test('what a story has only from the branch of its epic is no change of its own', async () => {
  using it = createProject();
  const work = (branch: string, from: string, file: string) => {
    it.git('switch', '-q', '-C', branch, from);
    it.write(file, `${branch} ${file}\n`);
    commitAll(it.gitIn, it.root, branch);
  };
  for (const id of ['aa', 'bb', 'cc']) it.story(id, {}, { one: {} });
  commitAll(it.gitIn, it.root, 'Plan');
  work('story/bb', 'main', 'same.txt');
  work('story/aa', 'main', 'same.txt');
  it.git('switch', '-q', '-c', 'epic/shop', 'main');
  it.git('merge', '-q', '--no-ff', '-m', 'Merge story/aa into epic/shop', 'story/aa');
  // It began after the first was merged.
  work('story/cc', 'epic/shop', 'other.txt');
  it.git('switch', '-q', 'main');

  const base = it.git('rev-parse', 'main').trim();
  const told: unknown[] = [];
  const items = ['aa', 'bb', 'cc'].map((id) => ({ id, epic: 'shop', kind: 'story' }) as EpicItem);
  const emit = (_type: string, event: unknown) => told.push(event);
  const git = openGit(it.root, it.env);
  const run = { git, epicId: 'shop', items, base: { commit: base } };
  const foresight = new Foresight({
    ...run,
    worker: { paths: it.paths, emit },
  } as never as EpicRun);
  await foresight.look(['bb', 'cc']);
  expect(told).toEqual([]);

  work('story/cc', 'story/cc', 'same.txt');
  it.git('switch', '-q', 'main');
  await foresight.look(['bb', 'cc']);
  expect(told).toEqual([{ stories: ['bb', 'cc'], files: ['same.txt'] }]);
});
