import { afterEach, expect, test, vi } from 'vitest';
import { NO_LIFELINE } from '../../../../test/rig/programs/no-lifeline.ts';
import { limitNetworkTime } from './network-limits.ts';

afterEach(() => void vi.useRealTimers());

const MINUTE_MS = 60_000;

function limit() {
  vi.useFakeTimers();
  const stop = new AbortController();
  const deadline = Date.now() + MINUTE_MS;
  const limits = limitNetworkTime({ deadline, stop: stop.signal }, NO_LIFELINE);
  const { asking, delivering } = limits.ends;
  const ended = () => ({ asking: asking.aborted, delivering: delivering.aborted });
  return { stop, limits, ended };
}

test.each(['the time limit', 'a stop'])(
  '%s ends questions to the network at once, and deliveries a little later',
  (cause) => {
    const { stop, ended } = limit();
    if (cause === 'a stop') stop.abort();
    else {
      vi.advanceTimersByTime(MINUTE_MS - 1);
      expect(ended()).toEqual({ asking: false, delivering: false });
      vi.advanceTimersByTime(1);
    }
    expect(ended()).toEqual({ asking: true, delivering: false });
    // `saga stop` kills a worker after 20 seconds: by then it must have ended by itself.
    vi.advanceTimersByTime(15_000);
    expect(ended()).toEqual({ asking: true, delivering: true });
  },
);

test('a worker that is over leaves no timer behind', () => {
  for (const isStopped of [false, true]) {
    const { stop, limits, ended } = limit();
    if (isStopped) stop.abort();
    limits[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(0);
    expect(ended()).toEqual({ asking: isStopped, delivering: false });
    vi.useRealTimers();
  }
});
