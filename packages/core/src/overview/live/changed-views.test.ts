import { expect, test } from 'vitest';
import { replaceChanged, takeChanged } from './changed-views.ts';
import { sameValue } from './same-value.ts';

test.each<[a: unknown, b: unknown, same: boolean]>([
  [1, 1, true],
  [1, '1', false],
  [null, null, true],
  [null, {}, false],
  [[1, [2]], [1, [2]], true],
  [[1], [1, 2], false],
  [[1], { 0: 1 }, false],
  [{ a: 1, b: { c: [] } }, { b: { c: [] }, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, false],
  [{ a: 1, b: 2 }, { a: 1 }, false],
])('%j and %j: %j', (a, b, same) => {
  expect(sameValue(a, b)).toBe(same);
  expect(sameValue(b, a)).toBe(same);
});

const view = (id: string, n: number) => ({ id, n });

test('new, different and gone ones are named, and what stayed is the same object', () => {
  const a = view('a', 1);
  const known = new Map([
    ['a', a],
    ['b', view('b', 1)],
    ['c', view('c', 1)],
  ]);
  const { views, changed } = takeChanged(known, [view('a', 1), view('b', 2), view('d', 1)]);
  expect(changed).toEqual(['b', 'd', 'c']);
  expect([...views]).toEqual([
    ['a', a],
    ['b', view('b', 2)],
    ['d', view('d', 1)],
  ]);
  expect(views.get('a')).toBe(a);
});

test('a few are replaced where they stand', () => {
  const views = new Map([
    ['a', view('a', 1)],
    ['b', view('b', 1)],
  ]);
  const changed = replaceChanged(views, ['b', 'a', 'x'], (id) => view(id, id === 'b' ? 2 : 1));
  expect(changed).toEqual(['b']);
  expect([...views.values()]).toEqual([view('a', 1), view('b', 2)]);
});
