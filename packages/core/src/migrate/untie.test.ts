import { expect, test } from 'vitest';
import type { Carried } from './carried.ts';
import { untie } from './untie.ts';

test('circles are untied, and told', () => {
  const notes: Carried['notes'] = [];
  const node = (id: string, ...blockedBy: string[]) => ({ id, blockedBy });
  expect(untie([node('a', 'b', 'a', 'x'), node('b', 'c'), node('c', 'a')], 'here', notes)).toEqual([
    node('a'),
    node('b', 'c'),
    node('c', 'a'),
  ]);
  expect(notes).toMatchObject([{ from: 'here', note: expect.stringContaining('circle') }]);
});
