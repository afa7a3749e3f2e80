import { expect, test } from 'vitest';
import { openPlanFiles } from '../../../../test/rig/project/plan-files.ts';
import { createTempProject } from '../../../../test/rig/project/temp-project.ts';
import { listMessages } from '../messages/message-box.ts';
import { loadStory } from '../plan/stories.ts';
import { acquireLock } from '../processes/lock.ts';
import { workerLock } from '../project/paths.ts';
import type { Word } from './engine.ts';
import { applyWord } from './words.ts';

const tell: Word = {
  ...{ id: 7, story: 'cart', kind: 'tell', by: 'laptop', at: '2026-11-16T09:00:00.000Z' },
  content: { from: 'Ada', text: 'Round to cents.', interrupts: false },
};

test('a word that is heard twice reaches the worker once', async () => {
  await using it = await createTempProject();
  openPlanFiles(it.root).story('cart', {}, { one: {} });
  const lock = await acquireLock(workerLock(it.paths, 'cart'));
  await applyWord(it.paths, tell);
  await applyWord(it.paths, tell);
  expect(listMessages(it.paths, 'cart').map(({ text }) => text)).toEqual(['Round to cents.']);
  await applyWord(it.paths, { ...tell, id: 8 });
  expect(listMessages(it.paths, 'cart')).toHaveLength(2);
  lock.release();
});

test('without a worker it is written for the next run, once', async () => {
  await using it = await createTempProject();
  openPlanFiles(it.root).story('cart', {}, { one: {} });
  await applyWord(it.paths, tell);
  await applyWord(it.paths, tell);
  expect(loadStory(it.paths, 'cart').journal.match(/Round to cents\./g)).toHaveLength(1);
});
