import { mkdirSync, renameSync, rmdirSync, statSync, utimesSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCodeOf, SagaError, toWriteError } from '../../../errors.ts';
import { quote } from '../../../project/quote.ts';

/**
 * After this time without a touch, a lock is stale. SAGA uses the client's own lock (the protocol of proper-lockfile),
 * a folder `<target>.lock`, so that Claude Code sessions and SAGA's processes exclude each other.
 */
export const STALE_MS = 10_000;
/**
 * How often a held lock is touched. Most locks are held for milliseconds; one that waits for another
 * lock may last longer.
 */
const REFRESH_MS = 2_000;
/** Longer than the client waits, so that a lock left by a killed process becomes stale in that time. */
const WAIT_MS = 15_000;

export async function withClientLock<T>(target: string, act: () => T | Promise<T>): Promise<T> {
  const path = `${target}.lock`;
  const deadline = Date.now() + WAIT_MS;
  for (let attempt = 0; !tryLock(path); attempt++) {
    if (Date.now() >= deadline) throw lockHeld(path);
    await sleep(Math.random() * Math.min(5 + attempt * 2, 100));
  }
  const refreshing = setInterval(() => refresh(path), REFRESH_MS);
  try {
    return await act();
  } finally {
    clearInterval(refreshing);
    unlock(path);
  }
}

/** Runs `act` under the lock. Returns undefined at once if another process holds the lock. */
export function tryWithClientLock<T>(target: string, act: () => T): { value: T } | undefined {
  const path = `${target}.lock`;
  if (!tryLock(path)) return undefined;
  try {
    return { value: act() };
  } finally {
    unlock(path);
  }
}

function tryLock(path: string): boolean {
  return makeLock(path) || (removeStaleLock(path) && makeLock(path));
}

function makeLock(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') return false;
    throw toWriteError(error, path);
  }
}

/**
 * Removes a stale lock. It is renamed first and checked again: if two processes find the lock stale,
 * the slower one would otherwise remove the new lock of the faster one. The time tells the two locks
 * apart; the inode does not, because a file system reuses the number of a removed folder.
 */
export function removeStaleLock(path: string): boolean {
  const seen = statSync(path, { throwIfNoEntry: false });
  if (!seen || Date.now() - seen.mtimeMs < STALE_MS) return false;
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (statSync(aside).mtimeMs !== seen.mtimeMs) {
      renameSync(aside, path);
      return false;
    }
    rmdirSync(aside);
    return true;
  } catch {
    // Another process was faster and may hold the lock now, so wait for it.
    return false;
  }
}

function refresh(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // This process was paused so long that its lock became stale; another process holds it now.
  }
}

function unlock(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    // The lock is gone: this process took more than ten seconds and another one removed it as stale.
    if (errorCodeOf(error) !== 'ENOENT') throw error;
  }
}

function lockHeld(path: string): SagaError {
  const ahead = (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) - Date.now();
  return new SagaError(
    'lock-held',
    `${path} has been held for more than ${WAIT_MS / 1000} seconds.`,
    ahead > STALE_MS
      ? `Its time is in the future: this clock was set back, or another machine made it. If no session uses the list, remove it: rmdir ${quote(path)}`
      : 'A session keeps updating the task. Try again later, or stop that session.',
  );
}
