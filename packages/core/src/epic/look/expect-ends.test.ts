import { expect, test } from 'vitest';
import type { Candidate, Standing } from '../schedule.ts';
import { estimateLeft, expectEnds, findPace } from './expect-ends.ts';

const story = (id: string, needs: string[] = [], standing: Standing = 'open'): Candidate => ({
  ...{ id, kind: 'story', epic: 'shop', needs, writes: [], standing },
});

const endsOf = (candidates: readonly Candidate[], jobs: number, left = 10) =>
  Object.fromEntries(
    [...expectEnds(candidates, { now: 100, jobs, leftOf: () => left })].map(([id, it]) => [
      id,
      `${it.from}-${it.to}`,
    ]),
  );

test('a diamond takes three rounds with two jobs, and four with one', () => {
  const diamond = [story('a'), story('b', ['a']), story('c', ['a']), story('d', ['b', 'c'])];
  expect(endsOf(diamond, 2)).toEqual({ a: '100-110', b: '110-120', c: '110-120', d: '120-130' });
  expect(endsOf(diamond, 1)).toMatchObject({ d: '130-140' });
});

test('what is merged takes no time, what runs holds its job, and what is stuck is helped now', () => {
  const candidates = [
    story('a', [], 'merged'),
    story('b', ['a'], 'running'),
    story('c', ['a'], 'stuck'),
    story('d', ['a']),
  ];
  expect(endsOf(candidates, 2)).toEqual({ b: '100-110', c: '100-110', d: '110-120' });
});

test('an inner epic ends with its last child', () => {
  const inner = { ...story('inner'), kind: 'epic' as const };
  const child = { ...story('x'), epic: 'inner' };
  expect(endsOf([inner, child, story('after', ['inner'])], 4)).toEqual({
    x: '100-110',
    after: '110-120',
  });
});

test('more stories run than there are jobs: nothing begins before enough have ended', () => {
  const candidates = [story('a', [], 'running'), story('b', [], 'running'), story('c')];
  expect(endsOf(candidates, 1)).toEqual({ a: '100-110', b: '100-110', c: '110-120' });
});

test('a cycle is left out', () => {
  expect(endsOf([story('a'), story('b', ['c']), story('c', ['b'])], 2)).toEqual({ a: '100-110' });
});

test('the pace is the median of what was finished', () => {
  expect(findPace([])).toBeUndefined();
  const finished = [
    { ms: 10, tasks: 1 },
    { ms: 60, tasks: 3 },
    { ms: 900, tasks: 3 },
    { ms: 5, tasks: 0 },
  ];
  expect(findPace(finished)).toEqual({ taskMs: 20, basedOn: 3 });
  expect(estimateLeft({ completed: 1, total: 3 }, 20)).toBe(40);
  expect(estimateLeft({ completed: 3, total: 3 }, 20)).toBe(5);
});
