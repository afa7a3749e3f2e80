import type { NetworkLimits } from '../git/git.ts';
import { armDeadline } from '../processes/deadline.ts';
import type { Lifeline } from '../processes/run.ts';
import type { WorkerOrder } from './context.ts';

/** What is finished may still be pushed after a stop; `saga stop` waits 20 s before it kills. */
const DELIVERY_MS = 10_000;

/** Nothing is asked of the network after a stop or the deadline, and only for a while is anything delivered. */
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
