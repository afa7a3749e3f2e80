import { expect, test } from 'vitest';
import { createSessionClock } from './session-clock.ts';

test('times of a session are told by the clock that it was named with', () => {
  const behind = createSessionClock({ session: 'saga-story-cart-600000', timestamp: 300_000 });
  expect([300_000, 301_500].map(behind)).toEqual([
    '1970-01-01T00:10:00.000Z',
    '1970-01-01T00:10:01.500Z',
  ]);
  const own = createSessionClock({ session: 'saga-epic-shop-300000', timestamp: 300_000 });
  expect(own(300_000)).toBe('1970-01-01T00:05:00.000Z');
});
