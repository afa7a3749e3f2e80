import { expect, test } from 'vitest';
import { buildStallReason, findStall, type LastSign } from './stall.ts';

const MINUTE = 60_000;
const NOW = Date.parse('2026-11-15T12:00:00.000Z');
const ago = (minutes: number) => NOW - minutes * MINUTE;
const usual = { minutes: 3, misses: 2 };

test.each<[name: string, sign: LastSign, since: string | undefined]>([
  ['just written', { writtenAt: NOW }, undefined],
  ['silent, but not longer than allowed', { writtenAt: ago(6) }, undefined],
  ['silent for longer', { writtenAt: ago(6) - 1 }, '2026-11-15T11:53:59.999Z'],
  ['a clock that runs ahead', { writtenAt: NOW + MINUTE }, undefined],
  ['waiting as it said', { writtenAt: ago(90), waitsUntil: NOW + MINUTE }, undefined],
  ['just past what it waited for', { writtenAt: ago(90), waitsUntil: ago(2) }, undefined],
  [
    'long past what it waited for',
    { writtenAt: ago(90), waitsUntil: ago(7) },
    '2026-11-15T10:30:00.000Z',
  ],
])('%s', (_, sign, since) => {
  expect(findStall(sign, usual, NOW)).toBe(since);
});

test('a project decides how long that is', () => {
  const sign = { writtenAt: ago(10) };
  expect(findStall(sign, { minutes: 5, misses: 3 }, NOW)).toBeUndefined();
  expect(findStall(sign, { minutes: 0.5, misses: 1 }, NOW)).toBe('2026-11-15T11:50:00.000Z');
});

test('that a silent run was asked is a field of the reason, not only a word in its title', () => {
  const since = '2026-11-15T11:00:00.000Z';
  expect(buildStallReason(since, true)).toMatchObject({ kind: 'stalled', since, isAsked: true });
  expect(buildStallReason(since)).not.toHaveProperty('isAsked');
});
