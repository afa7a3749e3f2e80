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
  expect(deriveFollow([START, ROUND, START])?.state).toBe('watching');
  expect(deriveFollow([START, { time, type: 'follow:end', reason: 'merged' }])).toBeNull();
});
