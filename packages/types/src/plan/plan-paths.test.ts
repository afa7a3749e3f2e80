import { expect, test } from 'vitest';
import { isInPlanFolded, isPlanFile, parseTaskPath, storyPath } from './plan-paths.ts';

test.each([
  [`${storyPath('cart')}/one.json`, { story: 'cart', task: 'one' }],
  [`${storyPath('cart')}/story.json`, undefined],
  [`${storyPath('cart')}/deep/one.json`, undefined],
  [`below/${storyPath('cart')}/one.json`, undefined],
  [`${storyPath('Cart!')}/one.json`, undefined],
])('the task of %s', (path, task) => {
  expect(parseTaskPath(path)).toEqual(task);
});

test.each([
  ['.saga/epics/shop.json', true],
  ['.saga/archive/stories/cart/story.json', true],
  ['.saga/stories/cart/journal.md', false],
  ['.saga/config.json', false],
])('%s is read as the plan: %j', (path, is) => {
  expect(isPlanFile(path)).toBe(is);
});

test('a disk may not tell small letters from capitals', () => {
  expect(['.SAGA/x', '.saga/x', '.sagas/x'].map(isInPlanFolded)).toEqual([true, true, false]);
});
