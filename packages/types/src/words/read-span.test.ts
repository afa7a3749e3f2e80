import { expect, test } from 'vitest';
import { readMoment, readSpan } from './read-span.ts';

test.each([
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['2h', 7_200_000],
  ['1.5h', 5_400_000],
  ['7d', 604_800_000],
  ['0m', undefined],
  ['2', undefined],
  ['-2h', undefined],
  ['2w', undefined],
  ['', undefined],
])('the span %j is %s ms', (text, ms) => {
  expect(readSpan(text)).toBe(ms);
});

test.each([
  ['2h', 1_000_000_000_000 - 7_200_000],
  ['2026-11-15', new Date(2026, 10, 15).getTime()],
  ['2026-11-15T10:00:00Z', Date.UTC(2026, 10, 15, 10)],
  ['2026-13-15', undefined],
  ['yesterday', undefined],
])('the moment %j', (text, time) => {
  expect(readMoment(text, 1_000_000_000_000)).toBe(time);
});
