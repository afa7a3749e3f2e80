import { expect, test } from 'vitest';
import { SessionSpent } from './session-spent.ts';

test('a session adds up its runs, as a whole and for each model', () => {
  const spent = new SessionSpent('opus');
  spent.begin('claude-opus-4-8');
  expect(spent.at({ tokens: 10, costUsd: 0.1, isCostEstimated: true })).toEqual({
    ...{ tokens: 10, costUsd: 0.1, isCostEstimated: true },
    models: { 'claude-opus-4-8': { tokens: 10, costUsd: 0.1, isCostEstimated: true } },
  });
  // The client said what the run cost, so nothing is estimated any more.
  spent.end({ tokens: 20, costUsd: 0.25 });
  spent.begin('nobody-1');
  const unknown = { tokens: 5, costUsd: 0.5, isCostEstimated: true, isCostUnknown: true };
  const now = spent.at(unknown);
  expect(now).toEqual({
    ...{ tokens: 25, costUsd: 0.75, isCostEstimated: true, isCostUnknown: true },
    models: { 'claude-opus-4-8': { tokens: 20, costUsd: 0.25 }, 'nobody-1': unknown },
  });
  expect(spent.end(unknown)).toEqual(now);
  // The next run of the first model adds to its row.
  spent.begin('claude-opus-4-8');
  expect(spent.end({ tokens: 1, costUsd: 0.75 }).models).toMatchObject({
    'claude-opus-4-8': { tokens: 21, costUsd: 1 },
  });
});
