import { expect, test } from 'vitest';
import type { SessionRecord } from '../run/session-record.ts';
import { type CostGroup, type CostQuestion, deriveCosts, sumRows } from './costs.ts';

const session = (story: string, day: number, more: Partial<SessionRecord>): SessionRecord => ({
  version: 1,
  session: `saga-story-${story}-${day}`,
  story,
  ...{ host: 'h', pid: 1, started: 1, outputFile: '/x', tmux: false, model: 'opus', cycle: 1 },
  startedAt: `2026-11-${day}T10:00:00Z`,
  tokens: 100,
  costUsd: 1,
  ...more,
});

const RECORDS = [
  session('cart', 15, { costUsd: 2, cycle: 3 }),
  session('cart', 14, { isCostEstimated: true }),
  session('pay', 14, { costUsd: 9, isCostUnknown: true, isCostEstimated: true }),
  session('docs', 13, {
    models: { 'opus-4': { tokens: 60, costUsd: 0.75 }, 'sonnet-5': { tokens: 40, costUsd: 0.25 } },
  }),
  session('shop', 15, { isEpic: true, tokens: 0, costUsd: 0 }),
];

const ask = (by: CostGroup, since?: string): CostQuestion => ({
  by,
  epicOf: (story) => (story === 'docs' ? undefined : 'shop'),
  dayOf: (time) => time.slice(0, 10),
  since: since ? Date.parse(since) : undefined,
});

const describe = (by: CostGroup, since?: string) =>
  deriveCosts(RECORDS, ask(by, since)).map(
    ({ key, sessions, runs, costUsd, isCostEstimated, unknown }) =>
      `${key} ${sessions} ${runs} ${isCostEstimated ? '~' : ''}${costUsd} ${unknown}`,
  );

test.each<[CostGroup, string | undefined, string[]]>([
  ['story', undefined, ['cart 2 4 ~3 0', 'docs 1 1 1 0', 'pay 1 1 0 1']],
  ['epic', undefined, ['shop 3 5 ~3 1', ' 1 1 1 0']],
  ['day', undefined, ['2026-11-13 1 1 1 0', '2026-11-14 2 2 ~1 1', '2026-11-15 1 3 2 0']],
  ['model', undefined, ['opus 3 5 ~3 1', 'opus-4 1 1 0.75 0', 'sonnet-5 1 1 0.25 0']],
  ['story', '2026-11-14T00:00:00Z', ['cart 2 4 ~3 0', 'pay 1 1 0 1']],
  ['story', '2027-01-01T00:00:00Z', []],
])('costs by %s since %s', (by, since, rows) => {
  expect(describe(by, since)).toEqual(rows);
});

test('the sum counts a session of two models once, and leaves unknown dollars out', () => {
  expect(sumRows(RECORDS, ask('model'))).toEqual({
    ...{ key: '', sessions: 4, runs: 6, tokens: 400, costUsd: 4 },
    isCostEstimated: true,
    unknown: 1,
  });
  expect(sumRows([], ask('story'))).toMatchObject({ sessions: 0, costUsd: 0 });
});
