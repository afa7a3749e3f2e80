import { expect, test } from 'vitest';
import { type Cost, formatDollars, formatSpent, sumCosts } from './amounts.ts';

test.each<[Cost, string, string[]]>([
  [{ costUsd: 0 }, '–', ['84k tokens']],
  [{ costUsd: 0.123 }, '$0.12', ['84k tokens', '$0.12']],
  [{ costUsd: 0.123, isCostEstimated: true }, '~$0.12', ['84k tokens', '~$0.12']],
  // What a budget counts for a model without a price is shown to nobody.
  [
    { costUsd: 9, isCostEstimated: true, isCostUnknown: true },
    'unknown',
    ['84k tokens', 'cost unknown'],
  ],
])('%j', (cost, dollars, spent) => {
  expect(formatDollars(cost)).toBe(dollars);
  expect(formatSpent(84_000, cost)).toEqual(spent);
});

test('a sum is as reliable as its least reliable part', () => {
  expect(sumCosts([])).toEqual({ costUsd: 0 });
  expect(sumCosts([{ costUsd: 1 }, { costUsd: 2 }])).toEqual({ costUsd: 3 });
  expect(sumCosts([{ costUsd: 1 }, { costUsd: 2, isCostEstimated: true }])).toEqual({
    ...{ costUsd: 3, isCostEstimated: true },
  });
  expect(sumCosts([{ costUsd: 1 }, { costUsd: 2, isCostUnknown: true }])).toEqual({
    ...{ costUsd: 3, isCostUnknown: true },
  });
});
