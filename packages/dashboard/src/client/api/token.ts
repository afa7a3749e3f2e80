import { useSyncExternalStore } from 'react';

/**
 * The token is in the address that `saga dashboard` prints. It is removed from the address, because people copy
 * addresses, and kept for all tabs of this address. The server keeps it across restarts.
 */
const KEY = 'saga-token';
const listeners = new Set<() => void>();
let token = takeToken();

// Another tab was opened with a newer token.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key === KEY && newValue !== null) set(newValue);
});

export function readToken(): string | null {
  return token;
}

/** Returns null if the page has no token that the server accepts. Then the page shows nothing. */
export function useToken(): string | null {
  return useSyncExternalStore(subscribe, readToken);
}

/**
 * Acts as soon as the page has a token that the server accepts. The server answers with the cookie that the
 * stream of changes needs.
 */
export function whenUnlocked(act: () => void): void {
  const tryNow = async () => {
    await checkToken();
    if (token === null) return false;
    act();
    return true;
  };
  void tryNow().then((isDone) => {
    if (isDone) return;
    const stop = subscribe(() => {
      if (token === null) return;
      stop();
      act();
    });
  });
}

/** Takes a token, or a whole address with one, if the server accepts it. */
export async function offerToken(text: string): Promise<boolean> {
  const given = /[?&]token=([\w-]+)/.exec(text)?.[1] ?? text.trim();
  if (!/^[\w-]+$/.test(given) || (await ask(given)) !== 'accepted') return false;
  store(given);
  set(given);
  return true;
}

/** Drops a token that the server refuses, so that no page offers an action that would be refused. */
export async function checkToken(): Promise<void> {
  const asked = token;
  if (asked === null || (await ask(asked)) !== 'refused' || token !== asked) return;
  set(null);
}

async function ask(given: string): Promise<'accepted' | 'refused' | 'unknown'> {
  try {
    const headers = { 'x-saga-token': given };
    const { status } = await fetch('/api/token', { method: 'POST', headers });
    return status === 200 ? 'accepted' : status === 401 ? 'refused' : 'unknown';
  } catch {
    // The server does not answer; the corner of the page shows that.
    return 'unknown';
  }
}

function set(next: string | null): void {
  if (next === token) return;
  token = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function takeToken(): string | null {
  const url = new URL(window.location.href);
  const given = url.searchParams.get('token');
  if (given === null) return readStored();
  url.searchParams.delete('token');
  window.history.replaceState(window.history.state, '', url);
  store(given);
  return given;
}

function readStored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // Storage may be forbidden.
    return null;
  }
}

function store(value: string): void {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // Storage may be forbidden. Then the token lasts as long as the page.
  }
}
