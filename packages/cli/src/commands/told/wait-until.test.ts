import { afterEach, expect, test, vi } from 'vitest';
import { type Followed, waitUntil } from './wait-until.ts';

afterEach(() => void vi.useRealTimers());

const DAY_MS = 24 * 60 * 60_000;

/** Days go by in seconds: only the deadline is of interest, not each look. */
function begin(patience: number | undefined, stop = new AbortController()) {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  const listeners = new Set<() => void>();
  const project: Followed = {
    overview: { isVerified: true },
    changes: {
      listen: (listener: () => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  };
  const seen = { isOver: false };
  const ends: unknown[] = [];
  const look = vi.fn(() => ({ ...seen }));
  const waiting = waitUntil(project, look, patience, stop.signal).then(
    (it) => ends.push(it ?? 'not over'),
    (error: unknown) => ends.push(error),
  );
  return { waiting, listeners, seen, ends, look, stop };
}

test('a wait of 30 days lasts 30 days', async () => {
  const { ends, listeners } = begin(30 * DAY_MS);
  await vi.advanceTimersByTimeAsync(30 * DAY_MS - 1);
  expect(ends).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ends).toEqual(['not over']);
  expect(listeners.size).toBe(0);
});

test('a wait without a limit has no end of its own', async () => {
  const { ends, stop, waiting } = begin(undefined);
  await vi.advanceTimersByTimeAsync(100 * DAY_MS);
  expect(ends).toEqual([]);
  stop.abort();
  await waiting;
  expect(ends).toEqual(['not over']);
});

test('a change that settles it ends the wait', async () => {
  const { ends, listeners, seen, waiting } = begin(DAY_MS);
  seen.isOver = true;
  for (const tell of listeners) tell();
  await waiting;
  expect(ends).toEqual([{ isOver: true }]);
  expect(listeners.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('a stop that was asked for before ends the wait at once', async () => {
  const stop = new AbortController();
  stop.abort();
  const { ends, waiting, listeners } = begin(DAY_MS, stop);
  await waiting;
  expect(ends).toEqual(['not over']);
  expect(listeners.size).toBe(0);
});

test('a look that fails ends the wait and leaves nothing behind', async () => {
  const { ends, listeners, look, waiting } = begin(DAY_MS);
  look.mockImplementation(() => {
    throw new Error('the plan is broken');
  });
  for (const tell of listeners) tell();
  await waiting;
  expect(ends).toEqual([new Error('the plan is broken')]);
  expect(listeners.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
