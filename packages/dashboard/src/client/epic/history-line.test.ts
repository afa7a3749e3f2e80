import type { EpicHistoryAnswer } from '@saga-ai/types/screens/dashboard';
import { expect, test } from 'vitest';
import { placeHistory } from './history-line.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const at = (minutesAgo: number) => new Date(NOW - minutesAgo * 60_000).toISOString();
const history = (more: Partial<EpicHistoryAnswer>): EpicHistoryAnswer => ({
  tasks: { completed: 2, total: 4 },
  stories: { completed: 1, total: 2 },
  undated: 0,
  points: [
    { time: at(100), completed: 1 },
    { time: at(50), completed: 2, stories: [{ id: 'cart', title: 'The cart' }] },
  ],
  isRead: true,
  ...more,
});

test('it rises at each point, is level between them and goes on until now', () => {
  const placed = placeHistory(history({}), NOW);
  expect(placed?.line).toBe('M0 100H2.91V75H51.46V50H100');
  expect(placed?.area).toBe('M0 100H2.91V75H51.46V50H100V100H0Z');
  expect(placed?.marks).toEqual([{ x: 51.46, y: 50, titles: ['The cart'] }]);
  expect(placed?.end).toBe(NOW);
});

test('what is all done ends with its last point, and what has no time is there from the start', () => {
  const done = placeHistory(history({ tasks: { completed: 2, total: 2 } }), NOW);
  expect(done?.line).toBe('M0 100H2.91V50H100V0H100');
  const undated = placeHistory(
    history({ undated: 1, points: [{ time: at(9), completed: 2 }] }),
    NOW,
  );
  expect(undated?.line).toBe('M0 75H2.91V50H100');
});

test('one point alone, or none, or a clock behind ours', () => {
  const one = { tasks: { completed: 1, total: 1 }, points: [{ time: at(0), completed: 1 }] };
  expect(placeHistory(history(one), NOW)?.line).toBe('M0 100H100V0H100');
  expect(placeHistory(history({ points: [] }), NOW)).toBeUndefined();
  expect(placeHistory(history({}), NOW - 1e9)?.line).toBe('M0 100H2.91V75H100V50H100');
});
