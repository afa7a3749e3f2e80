import { expect, test } from 'vitest';
import { type Candidate, schedule } from '../schedule.ts';
import { findHoldUps } from './find-hold-ups.ts';
import { findRemainingPath } from './forecast.ts';

const LIMITS = { jobs: 2, isPaused: false, failFast: false, isOver: false, isReviewed: false };
const item = (id: string, needs: string[], more: Partial<Candidate> = {}): Candidate => ({
  ...{ id, kind: 'story', epic: 'shop', needs, writes: [], standing: 'open' },
  ...more,
});
const stuck = { standing: 'stuck' } as const;

function find(candidates: Candidate[]) {
  const held = findHoldUps(candidates, schedule(candidates, LIMITS), findRemainingPath(candidates));
  return held.map((it) => [it.id, it.cutsOff.length, it.isCritical]);
}

test.each<[string, Candidate[], [string, number, boolean][]]>([
  ['nothing is stuck', [item('a', [])], []],
  [
    'what cuts off most comes first',
    [item('a', [], stuck), item('b', [], stuck), item('c', ['b']), item('d', ['c'])],
    [
      ['b', 2, true],
      ['a', 0, false],
    ],
  ],
  [
    'of two that cut off as many, the one that the end waits for',
    [
      item('a', [], stuck),
      item('b', [], stuck),
      item('c', ['a'], { standing: 'merged' }),
      item('d', ['b'], stuck),
    ],
    [
      ['b', 0, true],
      ['d', 0, true],
      ['a', 0, false],
    ],
  ],
  [
    'a story in an inner epic cuts off what waits for that epic',
    [
      item('inner', [], { kind: 'epic' }),
      item('deep', [], { epic: 'inner', ...stuck }),
      item('after', ['inner']),
      item('side', []),
    ],
    [['deep', 1, true]],
  ],
])('%s', (_, candidates, expected) => {
  expect(find(candidates)).toEqual(expected);
});
