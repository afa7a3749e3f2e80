import type { SessionEvent } from '@saga-ai/types/run/event';
import { expect, test } from 'vitest';
import { listEntries, startRange } from './log-range.ts';
import { createEventMatcher, searchEntries } from './search-entries.ts';

const time = '2026-11-15T12:00:00.000Z';
const SUBJECTS = new Map([['cart', 'Write the cart']]);
const EVENTS: readonly SessionEvent[] = [
  { time, type: 'task:status', task: 'cart', from: 'pending', to: 'in_progress' },
  { time, type: 'run:text', text: 'I read the Model of the cart first.' },
  {
    ...{ time, type: 'run:tool', id: 'call-1', name: 'Bash', kind: 'command', summary: 'npm test' },
    ...{ command: 'npm test', input: { description: 'Tests', limits: { seconds: 90 } } },
  },
  { time, type: 'run:result', id: 'call-1', text: '2 of 14 failed: rounding', isError: true },
  {
    ...{ time, type: 'run:tool', id: 'call-2', name: 'Edit', kind: 'write', summary: 'src/a.ts' },
    ...{ path: 'src/a.ts', changes: [{ removed: 'floor', added: 'round' }], input: {} },
  },
];

/** A query and the lines that it finds: 0 the task, 1 the text, 2 the command, 3 the edit. */
const ROWS: [string, number[]][] = [
  ['', []],
  ['  ', []],
  ['MODEL', [1]],
  ['cart', [0, 1]],
  // Each word counts, in any order and anywhere in the line.
  ['cart model', [1]],
  ['model zebra', []],
  ['write  cart', [0]],
  // A call and its result are one line.
  ['rounding', [2]],
  ['rounding npm', [2]],
  ['round', [2, 3]],
  ['round floor', [3]],
  // Values count, names of fields do not.
  ['90', [2]],
  ['seconds', []],
  ['command', []],
  ['isError', []],
  ['call-1', []],
];

test.each(ROWS)('%j is found in the lines %j', (query, expected) => {
  const range = startRange({ from: 0, to: 1000, size: 1000, events: [...EVENTS] }, SUBJECTS);
  expect(searchEntries(listEntries(range), range, query)).toEqual(expected);
});

test.each(ROWS)('%j is found in the same lines %j if they are not in memory', (query, expected) => {
  const matches = createEventMatcher(query, SUBJECTS);
  // From the last to the first, as a log is scanned.
  const found = EVENTS.toReversed().filter(matches).toReversed();
  const lines = EVENTS.filter(({ type }) => type !== 'run:result');
  expect(found.map((event) => lines.indexOf(event))).toEqual(expected);
});
