import { mkdirSync, renameSync, rmdirSync, statSync, utimesSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCodeOf, SagaError, toWriteError } from '../../../errors.ts';

/**
 * The client's own lock (proper-lockfile's protocol), so that a live session and any number of our
 * processes exclude each other: a folder `<target>.lock` is the lock, and one that was not touched
 * for ten seconds is stale.
 */
export const STALE_MS = 10_000;
/** Most locks are held for milliseconds; one that waits for another lock inside may last longer. */
const REFRESH_MS = 2_000;
/** Longer than the client waits: a lock left by a kill must become stale in that time. */
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

/** Does it at once or not at all: nothing when somebody else holds the lock. */
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
 * A stale lock is renamed before it is removed, and looked at again: of two who found it stale, the
 * slower one would otherwise remove the fresh lock of the quicker. Its time tells them apart, not
 * its inode: a file system gives the number of a removed folder to the next one.
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
    // Another process was quicker; whoever holds it now is waited for.
    return false;
  }
}

function refresh(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // Taken for stale while this process was stopped: the next writer holds it now.
  }
}

function unlock(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    // Gone already: we were slower than ten seconds and somebody took it for stale.
    if (errorCodeOf(error) !== 'ENOENT') throw error;
  }
}

function lockHeld(path: string): SagaError {
  return new SagaError(
    'lock-held',
    `${path} has been held for more than ${WAIT_MS / 1000} seconds.`,
    'A session is updating the task, again and again. Try once more, or look who does it.',
  );
}
