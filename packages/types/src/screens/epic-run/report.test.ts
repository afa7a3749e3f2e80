import { expect, test } from 'vitest';
import { deriveReport, type ReportedItem } from './report.ts';
import type { Span } from './spans.ts';

const span = (kind: Span['kind'], from: number, to: number | null): Span => ({ kind, from, to });
const item = (id: string, blockedBy: string[], spans: Span[], more = {}): ReportedItem => ({
  ...{ id, blockedBy, spans, costUsd: 0.5, starts: 1, isMerged: true },
  ...more,
});

test('a diamond on two jobs: what it took, and where the time went', () => {
  const report = deriveReport({
    from: 0,
    to: 100,
    jobs: [{ at: 0, jobs: 2 }],
    items: [
      item('base', [], [span('work', 0, 18), span('gate', 18, 20)]),
      item('left', ['base'], [span('work', 20, 60)]),
      item('right', ['base'], [span('work', 20, 30), span('waits', 30, 50), span('work', 50, 60)], {
        starts: 2,
      }),
      item('top', ['left', 'right'], [span('work', 60, 90), span('merge', 90, 100)]),
    ],
  });
  expect(report).toEqual({
    makespanMs: 100,
    criticalMs: 100,
    criticalPath: ['base', 'left', 'top'],
    // base alone: 20; left beside a question: 20; top alone: 30, and its merge: 2 × 10.
    idleMs: 20 + 20 + 30 + 20,
    peopleMs: 20,
    costUsd: 2,
    merged: 4,
    retries: 1,
    slowest: [
      { id: 'left', ms: 40 },
      { id: 'top', ms: 40 },
      { id: 'base', ms: 20 },
    ],
  });
});

test.each<[string, { at: number; jobs: number }[], number]>([
  [
    'jobs that were raised',
    [
      { at: 0, jobs: 1 },
      { at: 40, jobs: 3 },
    ],
    2 * 60,
  ],
  [
    'jobs that were lowered below what runs',
    [
      { at: 0, jobs: 2 },
      { at: 50, jobs: 1 },
    ],
    50,
  ],
  ['nobody knows the jobs', [], 0],
])('idle time: %s', (_, jobs, idleMs) => {
  const items = [item('one', [], [span('work', 0, 100)])];
  expect(deriveReport({ from: 0, to: 100, jobs, items }).idleMs).toBe(idleMs);
});

test('stories that wait at the same time are counted once, and an inner epic links what follows it', () => {
  const { peopleMs, criticalPath, criticalMs, retries } = deriveReport({
    from: 0,
    to: 100,
    jobs: [],
    items: [
      item('inner', ['a', 'b'], [], { starts: 0 }),
      item('a', [], [span('work', 0, 10), span('waits', 10, 40)]),
      item('b', [], [span('work', 0, 20), span('waits', 20, null)]),
      item('after', ['inner'], [span('work', 50, 60)]),
    ],
  });
  expect({ peopleMs, criticalPath, criticalMs, retries }).toEqual({
    peopleMs: 90,
    criticalPath: ['b', 'after'],
    criticalMs: 30,
    retries: 0,
  });
});
