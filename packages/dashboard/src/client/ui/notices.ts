import { useSyncExternalStore } from 'react';

/** The result of an action. It is shown apart from the button, because the change may remove the button. */
export interface Notice {
  id: number;
  isError: boolean;
  text: string;
  hint: string;
}

const SHOWN_MS = 10_000;
const MOST = 3;
const listeners = new Set<() => void>();
let notices: readonly Notice[] = [];
let counter = 0;

/** Shows the result of an action. A success disappears by itself; an error stays until the person closes it. */
export function notify(text: string, { isError = false, hint = '' } = {}): void {
  const notice = { id: ++counter, isError, text, hint };
  set([...notices, notice].slice(-MOST));
  if (!isError) window.setTimeout(() => dismiss(notice.id), SHOWN_MS);
}

export function dismiss(id: number): void {
  set(notices.filter((it) => it.id !== id));
}

export function useNotices(): readonly Notice[] {
  return useSyncExternalStore(subscribe, () => notices);
}

function set(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
