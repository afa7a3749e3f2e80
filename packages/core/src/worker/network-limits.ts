import type { NetworkLimits } from '../git/git.ts';
import { armDeadline } from '../processes/deadline.ts';
import type { Lifeline } from '../processes/run.ts';
import type { WorkerOrder } from './context.ts';

/**
 * How long finished work may still be pushed after a stop. Must be below the 20 s that `saga stop`
 * waits before it kills the worker.
 */
const DELIVERY_MS = 10_000;

/**
 * Builds the limits for the network. After a stop or the deadline the worker makes no more requests, but may still push
 * for a while.
 */
export function limitNetworkTime(
  { deadline, stop }: Pick<WorkerOrder, 'deadline' | 'stop'>,
  lifeline: Lifeline,
): NetworkLimits & Disposable {
  const asking = new AbortController();
  const delivering = new AbortController();
  let delivery: Disposable | undefined;
  const armed = armDeadline(deadline, stop, () => {
    asking.abort();
    delivery = armDeadline(Date.now() + DELIVERY_MS, undefined, () => delivering.abort());
  });
  return {
    ends: { asking: asking.signal, delivering: delivering.signal },
    lifeline,
    [Symbol.dispose]() {
      armed[Symbol.dispose]();
      delivery?.[Symbol.dispose]();
    },
  };
}
