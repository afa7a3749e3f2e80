import { afterEach, expect, test, vi } from 'vitest';
import { armDeadline, pauseUntil } from './deadline.ts';

afterEach(() => void vi.useRealTimers());

const DAY_MS = 24 * 60 * 60_000;

function arm(inMs: number, stop?: AbortSignal) {
  const calls: string[] = [];
  const armed = armDeadline(Date.now() + inMs, stop, (cause) => calls.push(cause));
  return { calls, armed };
}

test('it is called once, at its time, however far away that is', () => {
  vi.useFakeTimers();
  // Node takes 2^31 - 1 ms, 24.8 days; one more and the timer fires at once.
  for (const days of [1, 24, 25, 35, 1000]) {
    const { calls } = arm(days * DAY_MS);
    vi.advanceTimersByTime(days * DAY_MS - 1);
    expect({ days, calls }).toEqual({ days, calls: [] });
    vi.advanceTimersByTime(1);
    expect({ days, calls }).toEqual({ days, calls: ['time'] });
    vi.advanceTimersByTime(100 * DAY_MS);
    expect(calls).toEqual(['time']);
  }
});

test('a stop comes first, also one that was asked for before', () => {
  vi.useFakeTimers();
  const controller = new AbortController();
  const { calls } = arm(DAY_MS, controller.signal);
  controller.abort('enough');
  vi.advanceTimersByTime(2 * DAY_MS);
  expect(calls).toEqual(['stop']);
  expect(arm(DAY_MS, controller.signal).calls).toEqual(['stop']);
});

test('disposed, it is never called', () => {
  vi.useFakeTimers();
  const controller = new AbortController();
  const { calls, armed } = arm(DAY_MS, controller.signal);
  armed[Symbol.dispose]();
  controller.abort('enough');
  vi.advanceTimersByTime(2 * DAY_MS);
  expect(calls).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a pause lasts until its time, however far away, and a stop ends it', async () => {
  vi.useFakeTimers();
  const ended: string[] = [];
  const controller = new AbortController();
  const far = pauseUntil(Date.now() + 35 * DAY_MS, undefined).then(() => ended.push('far'));
  const cut = pauseUntil(Date.now() + 35 * DAY_MS, controller.signal).then(() => ended.push('cut'));
  await vi.advanceTimersByTimeAsync(35 * DAY_MS - 1);
  expect(ended).toEqual([]);
  controller.abort();
  await cut;
  expect(ended).toEqual(['cut']);
  await vi.advanceTimersByTimeAsync(1);
  await far;
  expect(ended).toEqual(['cut', 'far']);
});
