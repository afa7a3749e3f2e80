import { expect, test } from 'vitest';
import { chooseScale, placeMoment, placeSpans } from './place-timeline.ts';

const MINUTE = 60_000;

test.each([
  ['a run that has just begun', 0, false, 35, 8],
  ['forty seconds', 0.67, false, 50, 6],
  ['twelve minutes', 12, false, 14 * 60, 8],
  ['an hour and twelve minutes', 72, false, 75 * 60, 6],
  ['three days', 3 * 24 * 60, false, 4 * 24 * 3600, 5],
  ['over: it ends where it ended', 72, true, 72 * 60, 5],
] as const)('%s', (_, minutes, isOver, seconds, ticks) => {
  const scale = chooseScale(0, minutes * MINUTE, isOver);
  expect(scale.end / 1000).toBeGreaterThanOrEqual(minutes * 60);
  expect(scale.ticks.length).toBeLessThanOrEqual(8);
  expect([scale.end / 1000, scale.ticks.length]).toEqual([seconds, ticks]);
});

test('the scale stays while now moves within a step', () => {
  expect(chooseScale(0, 61 * MINUTE, false)).toEqual(chooseScale(0, 70 * MINUTE, false));
});

test('spans are placed in percent, and what goes on has no end', () => {
  const scale = { start: 0, end: 200, ticks: [] };
  expect(
    placeSpans(
      [
        { kind: 'work', from: 0, to: 100 },
        { kind: 'gate', from: 100, to: 150, isFailed: true },
        { kind: 'waits', from: 150, to: null },
      ],
      scale,
    ),
  ).toEqual([
    { kind: 'work', isFailed: false, left: 0, right: 50 },
    { kind: 'gate', isFailed: true, left: 50, right: 25 },
    { kind: 'waits', isFailed: false, left: 75, right: null },
  ]);
  expect(placeMoment(scale, 999)).toBe(100);
});
