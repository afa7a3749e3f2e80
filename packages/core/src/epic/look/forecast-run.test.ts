import type { RunRow } from '@saga-ai/types/screens/epic-run/epic-run';
import type { Span } from '@saga-ai/types/screens/epic-run/spans';
import { expect, test } from 'vitest';
import type { Candidate, Standing } from '../schedule.ts';
import { forecastRun } from './forecast-run.ts';

const MINUTE = 60_000;

function item(id: string, standing: Standing, needs: string[] = []): Candidate {
  return { id, kind: 'story', epic: 'shop', needs, writes: [], standing };
}

function row(id: string, completed: number, total: number, spans: Span[] = []): RunRow {
  return {
    ...{ id, title: id, epic: 'shop', state: 'ready', note: '', needs: [], isCritical: false },
    ...{ progress: { completed, total }, session: null, starts: 0, cost: { costUsd: 0 }, spans },
    ...{ work: null, expected: null },
  };
}

const finished = row('a', 2, 2, [{ kind: 'work', from: 0, to: 20 * MINUTE }]);

test('the rest is forecast from what the finished stories took a task', () => {
  const candidates = [item('a', 'merged'), item('b', 'running', ['a']), item('c', 'open', ['b'])];
  const rows = [
    finished,
    row('b', 1, 3, [{ kind: 'work', from: 25 * MINUTE, to: null }]),
    row('c', 0, 2),
  ];
  const { forecast, expected } = forecastRun({ candidates, rows, now: 30 * MINUTE, jobs: 1 });
  // Ten minutes a task: b has two tasks left and has worked five minutes; then c has two.
  expect(expected.get('b')).toEqual({ from: 30 * MINUTE, to: 45 * MINUTE });
  expect(expected.get('c')).toEqual({ from: 45 * MINUTE, to: 65 * MINUTE });
  expect(forecast).toEqual({ endsAt: 65 * MINUTE, basedOn: 1 });
  // While nothing happens, it stays as it is.
  const later = forecastRun({ candidates, rows, now: 31 * MINUTE, jobs: 1 });
  expect(later.expected.get('c')).toEqual(expected.get('c'));
});

test('before a story is finished nothing is forecast, and neither is a run without a rest', () => {
  const one = { candidates: [item('b', 'running')], rows: [row('b', 0, 1)], now: 0, jobs: 1 };
  expect(forecastRun(one).forecast).toBeNull();
  const all = { candidates: [item('a', 'merged')], rows: [finished], now: 0, jobs: 1 };
  expect(forecastRun(all).forecast).toBeNull();
});
