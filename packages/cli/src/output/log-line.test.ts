import type { SessionEvent } from '@saga-ai/types/run/event';
import { expect, test } from 'vitest';
import { formatLogLines } from './log-line.ts';
import { createOutput } from './output.ts';

const out = { ...createOutput(false), width: 60, paint: (_: string, text: string) => text };
const time = new Date(2026, 0, 1, 9, 8, 7).toISOString();
const tell = (event: object, more: Partial<typeof out> = {}) =>
  formatLogLines({ time, ...event } as SessionEvent, 'cart', { ...out, ...more });

test('a line begins with the time, and what is too long goes on below the text', () => {
  const reason = 'open blocker: Which of the two payment providers is it?';
  const end = { kind: 'needs-you', reason, exitCode: 3, cycles: 1, tokens: 5, costUsd: 0 };
  const lines = tell({ type: 'worker:end', ...end, elapsedMs: 1000 });
  expect(lines[0]).toMatch(/^09:08:07 {2}\S /);
  for (const line of lines.slice(1)) expect(line).toMatch(/^ {10}/);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
  expect(lines.join(' ').replace(/\s+/g, ' ')).toContain(reason);
});

test('of results only failures are shown, of texts only what was said', () => {
  expect(tell({ type: 'run:result', isError: false, text: 'fine' })).toEqual([]);
  expect(tell({ type: 'run:result', isError: true, text: 'Exit code 1' })).toEqual([
    '09:08:07    ✗ Exit code 1',
  ]);
  expect(tell({ type: 'run:result', isError: true, text: '' })).toEqual(['09:08:07    ✗ failed']);
  expect(tell({ type: 'run:text', text: 'I run\nthe tests.' })).toEqual([
    '09:08:07    “I run the tests.”',
  ]);
  expect(tell({ type: 'run:text', text: 'Hm.', isThought: true })).toEqual([]);
  expect(tell({ type: 'run:text', text: ' ' })).toEqual([]);
});

test('what verify printed is shown with what was left out', () => {
  expect(tell({ type: 'gate:output', lines: ['ok 1', 'ok 2'], skipped: 1 })).toEqual([
    '09:08:07    │ … 1 line left out',
    '            │ ok 1',
    '            │ ok 2',
  ]);
});

test('a time that is none, and an event that only programs need', () => {
  expect(tell({ type: 'run:text', text: 'Hello', time: 'soon' })).toEqual(['--:--:--    “Hello”']);
  expect(tell({ type: 'never:heard-of' })).toEqual([]);
});
