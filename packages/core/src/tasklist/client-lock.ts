import { mkdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCodeOf, SagaError, toWriteError } from '../errors.ts';

/**
 * The client's own lock (proper-lockfile's protocol), so that a live session and any number of our
 * processes exclude each other: a folder `<target>.lock` is the lock, and one that was not touched
 * for ten seconds is stale. We hold it for milliseconds, so it never needs refreshing.
 */
const STALE_MS = 10_000;
/** Longer than the client waits: a lock left by a kill must become stale in that time. */
const WAIT_MS = 15_000;

export async function withClientLock<T>(target: string, act: () => T | Promise<T>): Promise<T> {
  const path = `${target}.lock`;
  const deadline = Date.now() + WAIT_MS;
  for (let attempt = 0; !tryLock(path); attempt++) {
    if (Date.now() >= deadline) throw lockHeld(path);
    await sleep(Math.random() * Math.min(5 + attempt * 2, 100));
  }
  try {
    return await act();
  } finally {
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
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw toWriteError(error, path);
    return stealStale(path);
  }
}

/**
 * A stale lock is renamed before it is removed, and looked at again: of two who found it stale, the
 * slower one would otherwise remove the fresh lock of the quicker.
 */
function stealStale(path: string): boolean {
  const seen = statSync(path, { throwIfNoEntry: false });
  if (!seen || Date.now() - seen.mtimeMs < STALE_MS) return false;
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (statSync(aside).ino !== seen.ino) {
      renameSync(aside, path);
      return false;
    }
    rmdirSync(aside);
  } catch {
    // Another process was quicker; whoever holds it now is waited for.
  }
  return false;
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
