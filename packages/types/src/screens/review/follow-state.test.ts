import { expect, test } from 'vitest';
import type { RunEvent } from '../../run/event.ts';
import { deriveFollow, type FOLLOW_EVENTS } from './follow-state.ts';

type FollowEvent = RunEvent<(typeof FOLLOW_EVENTS)[number]>;
const time = '2026-11-16T10:00:00.000Z';
const START: FollowEvent = { time, type: 'follow:start', number: 7, rounds: 3 };
const ROUND: FollowEvent = { time, type: 'follow:round', round: 1, most: 3, remarks: 2 };

test('the last event says what a worker does with its pull request', () => {
  expect(deriveFollow([])).toBeNull();
  expect(deriveFollow([START])).toEqual({ state: 'watching', text: 'watches #7, 3 rounds left' });
  expect(deriveFollow([START, ROUND])).toEqual({
    state: 'working',
    text: 'works on 2 remarks, round 1 of 3',
  });
  const checks = (running: number): FollowEvent => ({
    ...{ time, type: 'follow:checks', number: 7, running },
  });
  expect(deriveFollow([START, checks(2)])).toEqual({
    state: 'checking',
    text: 'waits for 2 checks of #7',
  });
  expect(deriveFollow([START, checks(1), checks(0)])).toEqual({
    state: 'watching',
    text: 'watches #7',
  });
  expect(deriveFollow([START, ROUND, START])?.state).toBe('watching');
  expect(deriveFollow([START, { time, type: 'follow:end', reason: 'merged' }])).toBeNull();
});
