import { expect, test } from 'vitest';
import { formatAge, formatAgo } from './times.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;

test.each([
  [0, 'just now', 'just now'],
  [29_000, 'just now', 'just now'],
  [MINUTE, '1 min', '1 min ago'],
  [89 * MINUTE, '89 min', '89 min ago'],
  [90 * MINUTE, '2 h', '2 h ago'],
  [47 * 60 * MINUTE, '47 h', '47 h ago'],
  [48 * 60 * MINUTE, '2 days', '2 days ago'],
  [-10 * MINUTE, 'just now', 'just now'],
])('%d ms before now', (ms, age, ago) => {
  const time = new Date(NOW - ms).toISOString();
  expect(formatAge(time, NOW)).toBe(age);
  expect(formatAgo(time, NOW)).toBe(ago);
});

test('a time that cannot be read is shown as it is', () => {
  expect(formatAge('yesterday', NOW)).toBe('yesterday');
  expect(formatAgo('yesterday', NOW)).toBe('yesterday');
});
