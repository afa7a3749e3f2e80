import { findCycles } from '@saga-ai/types/plan/graph';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moveItem } from './move-item.ts';

const chain = [
  { id: 'a', blockedBy: [] as string[] },
  { id: 'b', blockedBy: ['a'] },
  { id: 'c', blockedBy: ['b'] },
  { id: 'd', blockedBy: ['c'] },
];

test('in a chain, the neighbours change their places, and the chain stays one', () => {
  expect(moveItem(chain, 'c', -1)).toEqual([
    { id: 'a', blockedBy: [] },
    { id: 'c', blockedBy: ['a'] },
    { id: 'b', blockedBy: ['c'] },
    { id: 'd', blockedBy: ['b'] },
  ]);
  expect(moveItem(chain, 'b', 1)).toEqual(moveItem(chain, 'c', -1));
});

test('of two that do not wait for each other, the one that comes later waits now', () => {
  const free = [
    { id: 'a', blockedBy: [] },
    { id: 'b', blockedBy: [] },
  ];
  expect(moveItem(free, 'b', -1)).toEqual([
    { id: 'b', blockedBy: [] },
    { id: 'a', blockedBy: ['b'] },
  ]);
});

test('at the ends nothing moves', () => {
  expect(moveItem(chain, 'a', -1)).toEqual(chain);
  expect(moveItem(chain, 'd', 1)).toEqual(chain);
  expect(moveItem(chain, 'x', 1)).toEqual(chain);
});

test('whatever is moved, no circle arises and the order shown is one in which the work can be done', () => {
  const plans = fc.array(fc.array(fc.nat(9), { maxLength: 3 }), { minLength: 2, maxLength: 8 });
  const moves = fc.array(fc.tuple(fc.nat(7), fc.constantFrom<1 | -1>(1, -1)), { maxLength: 12 });
  fc.assert(
    fc.property(plans, moves, (edges, steps) => {
      let items = edges.map((before, i) => ({
        id: `t${i}`,
        blockedBy: [...new Set(before.filter((it) => it < i).map((it) => `t${it}`))],
      }));
      for (const [at, step] of steps) {
        items = moveItem(items, items[at % items.length]?.id ?? '', step);
        expect(findCycles(items)).toEqual([]);
        const places = new Map(items.map(({ id }, i) => [id, i]));
        for (const [i, { blockedBy }] of items.entries())
          for (const other of blockedBy) expect(places.get(other)).toBeLessThan(i);
      }
    }),
  );
});
