import { useSyncExternalStore } from 'react';
import { isLost } from '../api/connection.ts';

/** One clock for the page: all times change together, and the clock stops while the page is hidden. */
const listeners = new Set<() => void>();
let now = Date.now();
let timer: number | undefined;

export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** Returns a value that is derived from the time. The component is drawn again only when this value changes. */
export function useNowAs<T extends number | string>(derive: (now: number) => T): T {
  return useSyncExternalStore(subscribe, () => derive(now));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    timer = window.setInterval(tick, 1000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  // While the connection is lost, the page shows old data, so its times stand still too.
  if (isLost()) return;
  now = Date.now();
  for (const listener of listeners) listener();
}
