import { STATES } from '@saga-ai/types/screens/story-state';
import { expect, test } from 'vitest';
import { FOLD_ID, findFinished, foldFinished } from './fold-finished.ts';
import type { GraphItem } from './graph-item.ts';

const item = (id: string, isDone: boolean, ...blockedBy: string[]): GraphItem => ({
  ...{ id, blockedBy, title: id, detail: '', progress: '', href: '' },
  state: isDone ? STATES.done : STATES.ready,
});

/** So many open items that a fold is worth it. */
const others = Array.from({ length: 10 }, (_, i) => item(`open-${i}`, false));
const chain = [item('a', true), item('b', true, 'a'), item('c', true, 'b'), item('d', true)];

test('what is done, with all that it waited for, becomes one node', () => {
  const items = [...chain, item('next', false, 'c', 'open-1'), ...others];
  const finished = findFinished(items);
  expect([...finished].sort()).toEqual(['a', 'b', 'c', 'd']);
  const folded = foldFinished(items, finished);
  expect(folded[0]).toMatchObject({ id: FOLD_ID, title: '4 done' });
  expect(folded.find(({ id }) => id === 'next')?.blockedBy).toEqual([FOLD_ID, 'open-1']);
  expect(folded).toHaveLength(1 + 1 + others.length);
});

test('what is done behind something open stays in sight', () => {
  const items = [...chain, item('late', true, 'open-1'), ...others];
  expect(findFinished(items).has('late')).toBe(false);
});

test('a small graph and a small fold stay as they are', () => {
  expect(findFinished(chain).size).toBe(0);
  const few = [
    ...chain.slice(0, 2),
    ...others,
    ...others.map((it) => ({ ...it, id: `${it.id}x` })),
  ];
  expect(findFinished(few).size).toBe(0);
  expect(foldFinished(few, new Set())).toBe(few);
});
