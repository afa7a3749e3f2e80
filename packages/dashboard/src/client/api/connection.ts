import { useSyncExternalStore } from 'react';

/** Whether the page receives changes. */
export type Connection = 'connecting' | 'live' | 'lost';

let connection: Connection = 'connecting';
const listeners = new Set<() => void>();

export function setConnection(next: Connection): void {
  if (next === connection) return;
  connection = next;
  for (const listener of listeners) listener();
}

export const isLost = () => connection === 'lost';

export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => connection,
  );
}
