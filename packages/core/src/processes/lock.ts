import {
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCodeOf, SagaError, toWriteError } from '../errors.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import {
  describeProcess,
  formatIdentity,
  isElsewhere,
  isProcessGone,
  type ProcessIdentity,
  parseIdentity,
} from './identity.ts';

/**
 * A lock is a folder that holds one file, named after its owner.
 *
 * A process takes it by renaming a prepared folder onto its path, which the file system allows only if
 * nothing or an empty folder is there. It frees the lock by unlinking the owner's file. Both name the
 * owner exactly, so two processes that remove the same dead owner can never remove a living one, and a
 * lock left by `kill -9` is taken over at once, without a time-out.
 */
export interface HeldLock {
  /** True if the previous owner died while holding the lock: it may have left a temporary file. */
  takenOver: boolean;
}

const WAIT_MS = 30_000;

export async function withLock<T>(
  path: string,
  act: (lock: HeldLock) => T | Promise<T>,
  { waitMs = WAIT_MS }: { waitMs?: number } = {},
): Promise<T> {
  const lock = await acquireLock(path, waitMs);
  try {
    return await act(lock);
  } finally {
    lock.release();
  }
}

/** Waits for the lock. After a stop, it fails at once if another process holds the lock. */
export async function acquireLock(
  path: string,
  waitMs = WAIT_MS,
  stop?: AbortSignal,
): Promise<HeldLock & { release(): void }> {
  const name = formatIdentity(describeProcess(process.pid), nextNonce());
  const prepared = `${path}${PREPARED}${name}`;
  try {
    ensureFolder(prepared);
    writeFileSync(join(prepared, name), '');
  } catch (error) {
    throw toWriteError(error, dirname(path));
  }
  const deadline = Date.now() + waitMs;
  let takenOver = false;
  for (let attempt = 0; ; attempt++) {
    if (tryRename(prepared, path)) break;
    const { holder, cleared } = clearDeadOwners(path);
    takenOver ||= cleared;
    if (holder === undefined) continue;
    if (holder === 'foreign' || Date.now() >= deadline || stop?.aborted) {
      rmSync(prepared, { recursive: true, force: true });
      throw holder === 'foreign' ? notALock(path) : lockHeld(path, holder);
    }
    await sleep(Math.random() * Math.min(4 + attempt, 40));
  }
  if (takenOver) sweepPrepared(path);
  return { takenOver, release: () => release(path, name) };
}

/** Returns the living process that holds the lock, or undefined. */
export function findLockOwner(path: string): ProcessIdentity | undefined {
  return readNames(path)
    .flatMap((name) => parseIdentity(name) ?? [])
    .find((owner) => !isProcessGone(owner));
}

export interface FoundLock {
  path: string;
  owner: ProcessIdentity;
  /** Milliseconds since the epoch. */
  since: number;
}

/** Lists locks whose owner died while holding them. The next process that needs such a lock takes it over. */
export function listStaleLocks(folder: string): FoundLock[] {
  return listLocks(folder).filter(({ owner }) => isProcessGone(owner));
}

/** Lists locks held from other machines: whether their owners live cannot be known here. */
export function listForeignLocks(folder: string): FoundLock[] {
  return listLocks(folder).filter(({ owner }) => isElsewhere(owner));
}

/** Whether a process holds one of the locks, or may hold it on another machine. */
export function hasLivingLock(folder: string): boolean {
  return listLocks(folder).some(({ owner }) => !isProcessGone(owner));
}

function listLocks(folder: string): FoundLock[] {
  return readNames(folder)
    .filter((name) => !name.includes(PREPARED))
    .flatMap((name) => {
      const path = join(folder, name);
      return readNames(path).flatMap((file) => {
        const owner = parseIdentity(file);
        const since = statSync(join(path, file), { throwIfNoEntry: false })?.mtimeMs;
        return owner && since !== undefined ? [{ path, owner, since }] : [];
      });
    });
}

/**
 * Removes the owner of another machine from a lock, because a person asked for it. Owners on this
 * machine stay.
 */
export function forgetForeignOwner(path: string): ProcessIdentity | undefined {
  const [found] = listForeignLocks(dirname(path)).filter((lock) => lock.path === path);
  if (!found) return undefined;
  for (const name of readNames(path)) {
    const owner = parseIdentity(name);
    if (owner && isElsewhere(owner)) unlinkIfThere(join(path, name));
  }
  clearStaleLock(path);
  return found.owner;
}

export function clearStaleLock(path: string): void {
  if (clearDeadOwners(path).holder !== undefined) return;
  try {
    rmdirSync(path);
  } catch {
    // The lock is free already, or another process holds it now; both are fine.
  }
  sweepPrepared(path);
}

function tryRename(prepared: string, path: string): boolean {
  try {
    renameSync(prepared, path);
    return true;
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    rmSync(prepared, { recursive: true, force: true });
    throw code === 'ENOTDIR' ? notALock(path) : toWriteError(error, path);
  }
}

/** Removes dead owners. Returns the living owner as `holder`, or undefined if there is none. */
function clearDeadOwners(path: string): { holder?: ProcessIdentity | 'foreign'; cleared: boolean } {
  let cleared = false;
  for (const name of readNames(path)) {
    const owner = parseIdentity(name);
    if (!owner) return { holder: 'foreign', cleared };
    if (!isProcessGone(owner)) return { holder: owner, cleared };
    unlinkIfThere(join(path, name));
    cleared = true;
  }
  return { cleared };
}

function release(path: string, name: string): void {
  unlinkIfThere(join(path, name));
  try {
    rmdirSync(path);
  } catch {
    // Another process holds the lock already; an empty folder would count as free anyway.
  }
}

/** Removes prepared folders of this lock whose process died before it took the lock. */
function sweepPrepared(path: string): void {
  sweepDeadPrepared(dirname(path), (lock) => lock === basename(path));
}

/** Removes prepared folders of any lock in the folder whose process died before it took the lock. */
export function sweepDeadPrepared(folder: string, isMeant = (_: string) => true): void {
  for (const entry of readNames(folder)) {
    const at = entry.lastIndexOf(PREPARED);
    const owner = at > 0 ? parseIdentity(entry.slice(at + PREPARED.length)) : undefined;
    if (owner && isMeant(entry.slice(0, at)) && isProcessGone(owner))
      rmSync(join(folder, entry), { recursive: true, force: true });
  }
}

function lockHeld(path: string, owner: ProcessIdentity): SagaError {
  const here = !isElsewhere(owner);
  return new SagaError(
    'lock-held',
    `${path} is held by process ${owner.pid}${here ? '' : ` on ${owner.host}`}.`,
    here
      ? `Wait for it to finish, or see what it is: ps -p ${owner.pid}`
      : `If that machine is gone, remove the lock: rm -r ${path}`,
  );
}

/** Builds the error for a path at which there is something other than a lock. Waiting would not help. */
function notALock(path: string): SagaError {
  return new SagaError(
    'lock-held',
    `${path} is not a lock that SAGA made.`,
    `Check what it is, then remove it: rm -r ${path}`,
  );
}

const PREPARED = '.for.';
let counter = 0;

function nextNonce(): string {
  return `${Date.now().toString(36)}${(counter++).toString(36)}`;
}

function readNames(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT') throw error;
  }
}
