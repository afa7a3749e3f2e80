import type { LogAnswer } from '@saga-ai/types/screens/dashboard';
import { expect, test } from 'vitest';
import {
  appendWindow,
  findResult,
  type LogRange,
  listEntries,
  prependWindow,
  startRange,
} from './log-range.ts';

const MEGABYTE = 1024 * 1024;
const NONE = new Map<string, string>();

/** A window of one tool call, whose result may stand elsewhere. */
function answer(from: number, to: number, fields: { call?: string; result?: string }): LogAnswer {
  const time = '2026-11-15T12:00:00.000Z';
  const { call, result } = fields;
  const use = { time, name: 'Bash', kind: 'command', summary: '', input: {} } as const;
  return {
    from,
    to,
    size: 100 * MEGABYTE,
    events: [
      ...(call ? [{ ...use, type: 'run:tool' as const, id: call }] : []),
      ...(result ? [{ time, type: 'run:result' as const, id: result, text: 'fine' }] : []),
    ],
  };
}

const keys = (range: LogRange) => listEntries(range).map(({ key }) => key);

test('a result is found wherever it stands', () => {
  const start = startRange(answer(500, 600, { call: 'a' }), NONE);
  const range = appendWindow(start, answer(600, 700, { call: 'b', result: 'a' }), NONE);
  expect(findResult(range, 'a')?.text).toBe('fine');
  expect(findResult(range, 'b')).toBeUndefined();
});

test('what is there keeps its keys while the log grows at either end', () => {
  const start = startRange(answer(500, 600, { call: 'a' }), NONE);
  const grown = appendWindow(start, answer(600, 700, { call: 'b' }), NONE);
  const both = prependWindow(grown, answer(400, 500, { call: 'c' }), NONE);
  expect(keys(grown)).toEqual([...keys(start), '500:1']);
  expect(keys(both)).toEqual(['400:0', ...keys(grown)]);
  expect([both.from, both.to]).toEqual([400, 700]);
});

test('a window that does not follow on is left out', () => {
  const start = startRange(answer(500, 600, { call: 'a' }), NONE);
  expect(keys(appendWindow(start, answer(650, 700, { call: 'b' }), NONE))).toEqual(keys(start));
  expect(keys(prependWindow(start, answer(300, 400, { call: 'b' }), NONE))).toEqual(keys(start));
});

test.each([
  ['the end', prependWindow, (n: number) => 50 - n],
  ['the beginning', appendWindow, (n: number) => 50 + n],
])('beyond what memory holds %s is let go', (_, add, place) => {
  let range = startRange(answer(50 * MEGABYTE, 51 * MEGABYTE, { call: 'x' }), NONE);
  for (let n = 1; n < 40; n++) {
    const from = place(n) * MEGABYTE;
    range = add(range, answer(from, from + MEGABYTE, { call: `c${n}` }), NONE);
  }
  expect(range.to - range.from).toBe(16 * MEGABYTE);
  expect(range.chunks.length).toBe(16);
  expect(add === appendWindow ? range.to : range.from).toBe(
    place(39) * MEGABYTE + (add === appendWindow ? MEGABYTE : 0),
  );
});
