import { expect, test } from 'vitest';
import { expectCost } from './expect-cost.ts';

const spent = (story: string, costUsd: number, more: object = {}) => ({
  ...{ story, costUsd, outcome: 'done' as const },
  ...more,
});
const two = () => 2;

test('a plan costs what tasks of finished stories cost at the median', () => {
  const records = [
    spent('cheap', 1),
    // Two sessions of one story: the first was stopped, and cost money all the same.
    spent('dear', 6, { outcome: 'stopped' }),
    spent('dear', 4),
    spent('middle', 4),
  ];
  expect(expectCost(records, two, 3)).toEqual({ usd: 6, basedOn: 3 });
});

test('what says nothing about a task does not count', () => {
  const records = [
    spent('failed', 9, { outcome: 'error' }),
    spent('unknown', 9, { isCostUnknown: true }),
    spent('epic', 9, { isEpic: true }),
    spent('free', 0),
  ];
  expect(expectCost(records, two, 3)).toBeUndefined();
  expect(expectCost([spent('gone', 9)], () => 0, 3)).toBeUndefined();
  expect(expectCost([], two, 3)).toBeUndefined();
});
