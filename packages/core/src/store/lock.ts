import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCodeOf, SagaError, toWriteError } from '../errors.ts';

/**
 * A lock is a folder that holds one file, named after its owner.
 *
 * It is taken by renaming a prepared folder onto its path, which the file system does only when
 * nothing, or an empty folder, is there. It is freed by unlinking the owner's file. Both name the
 * owner exactly, so two processes that clear away the same dead owner can never remove a living
 * one, and a lock left by `kill -9` is taken over at once, without waiting for a time-out.
 */
export interface LockOwner {
  host: string;
  pid: number;
  /** When the process started, as the kernel counts; 0 where that cannot be known. */
  started: number;
}

export interface HeldLock {
  /** The former owner died with the lock in hand: it may have left a temp file. */
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

export async function acquireLock(
  path: string,
  waitMs = WAIT_MS,
): Promise<HeldLock & { release(): void }> {
  const name = formatOwner(describeSelf());
  const prepared = `${path}${PREPARED}${name}`;
  try {
    mkdirSync(prepared, { recursive: true });
    writeFileSync(join(prepared, name), '');
  } catch (error) {
    throw toWriteError(error, path);
  }
  const deadline = Date.now() + waitMs;
  let takenOver = false;
  for (let attempt = 0; ; attempt++) {
    if (tryRename(prepared, path)) break;
    const { holder, cleared } = clearDeadOwners(path);
    takenOver ||= cleared;
    if (holder === undefined) continue;
    if (holder === 'foreign' || Date.now() >= deadline) {
      rmSync(prepared, { recursive: true, force: true });
      throw holder === 'foreign' ? lockSpoilt(path) : lockHeld(path, holder);
    }
    await sleep(Math.random() * Math.min(4 + attempt, 40));
  }
  if (takenOver) sweepPrepared(path);
  return { takenOver, release: () => release(path, name) };
}

/** Who holds the lock now, if a living process does. */
export function findLockOwner(path: string): LockOwner | undefined {
  return readNames(path)
    .flatMap((name) => parseOwner(name) ?? [])
    .find((owner) => !isGone(owner));
}

function tryRename(prepared: string, path: string): boolean {
  try {
    renameSync(prepared, path);
    return true;
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    rmSync(prepared, { recursive: true, force: true });
    throw code === 'ENOTDIR' ? lockSpoilt(path) : toWriteError(error, path);
  }
}

/** The living owner, or nothing once every dead one is cleared away. */
function clearDeadOwners(path: string): { holder?: LockOwner | 'foreign'; cleared: boolean } {
  let cleared = false;
  for (const name of readNames(path)) {
    const owner = parseOwner(name);
    if (!owner) return { holder: 'foreign', cleared };
    if (!isGone(owner)) return { holder: owner, cleared };
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
    // Somebody else holds it already; an empty folder would count as free anyway.
  }
}

/** Folders that died before they became the lock. */
function sweepPrepared(path: string): void {
  const prefix = `${basename(path)}${PREPARED}`;
  for (const entry of readdirSync(dirname(path))) {
    const owner = entry.startsWith(prefix) ? parseOwner(entry.slice(prefix.length)) : undefined;
    if (owner && isGone(owner))
      rmSync(join(dirname(path), entry), { recursive: true, force: true });
  }
}

function lockHeld(path: string, owner: LockOwner): SagaError {
  const here = owner.host === hostLabel();
  return new SagaError(
    'lock-held',
    `${path} is held by process ${owner.pid}${here ? '' : ` on ${owner.host}`}.`,
    here
      ? `Wait for it to finish, or look at it: ps -p ${owner.pid}`
      : `If that machine is gone, remove the lock: rm -r ${path}`,
  );
}

/** Something that is no lock stands in its place; waiting would not help. */
function lockSpoilt(path: string): SagaError {
  return new SagaError(
    'lock-held',
    `${path} is not a lock that SAGA made.`,
    `Look at it, then remove it: rm -r ${path}`,
  );
}

const PREPARED = '.for.';
let counter = 0;

function describeSelf(): LockOwner {
  return { host: hostLabel(), pid: process.pid, started: lookAt(process.pid).started };
}

function formatOwner(owner: LockOwner & { nonce?: string }): string {
  const nonce = owner.nonce ?? `${Date.now().toString(36)}${(counter++).toString(36)}`;
  return `${owner.host}~${owner.pid}~${owner.started}~${nonce}`;
}

function parseOwner(name: string): (LockOwner & { nonce: string }) | undefined {
  const match = /^([^~]+)~(\d+)~(\d+)~([^~]+)$/.exec(name);
  if (!match?.[1] || !match[4]) return undefined;
  return { host: match[1], pid: Number(match[2]), started: Number(match[3]), nonce: match[4] };
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

/** Provably gone: no such process here, one that has ended, or a later one with its number. */
function isGone(owner: LockOwner): boolean {
  if (owner.host !== hostLabel()) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return errorCodeOf(error) === 'ESRCH';
  }
  const { started, ended } = lookAt(owner.pid);
  return ended || (owner.started !== 0 && started !== 0 && owner.started !== started);
}

/**
 * From /proc/<pid>/stat: its start is field 22, counted after the command name, which may hold
 * anything. A killed process stays in the table, as Z, until its parent asks for its end.
 */
function lookAt(pid: number): { started: number; ended: boolean } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { started: Number(fields[19]) || 0, ended: fields[0] === 'Z' || fields[0] === 'X' };
  } catch {
    // No /proc on this system, or the process just ended: the number alone must do.
    return { started: 0, ended: false };
  }
}

function hostLabel(): string {
  return hostname().replace(/[^a-zA-Z0-9.-]/g, '-') || 'localhost';
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT') throw error;
  }
}
