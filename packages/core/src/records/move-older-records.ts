import {
  cpSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { errorCodeOf } from '../errors.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { hasLivingLock } from '../processes/lock.ts';
import {
  findOlderRuns,
  findRunsOfRepository,
  listRecords,
  movingRuns,
} from '../project/machine-state.ts';
import { buildPaths, listLockFolders, type Paths } from '../project/paths.ts';

/**
 * Moves the records that older versions kept in each checkout to the folder that all checkouts share. A folder in which
 * a process holds a lock stays where that process looks for it, and counts as the repository's until then. May be
 * called by several processes, and again after a kill: each step is one rename.
 */
export function moveOlderRecords(paths: Paths): Paths {
  const home = findRunsOfRepository(paths.root);
  const older = findOlderRuns(paths.root);
  if (home === undefined || older.length === 0) return paths;
  const isHeld = (runs: string) => listLockFolders(runs).some(hasLivingLock);
  const [living, ...others] = older.filter(isHeld);
  if (others.length > 0) return paths;
  try {
    const idle = older.filter((it) => it !== living);
    if (living !== undefined) for (const it of idle) merge(it, living);
    else bringTogether(idle, home);
  } catch {
    // A disk that cannot be written: the records stay where they are, and are found there.
  }
  return buildPaths(paths.root);
}

/** Until the last rename the repository has no folder of its own, so what a kill leaves behind is found again. */
function bringTogether(folders: readonly string[], home: string): void {
  const moving = movingRuns(home);
  ensureFolder(moving);
  for (const it of folders) if (it !== moving) merge(it, moving);
  try {
    renameSync(moving, home);
  } catch (error) {
    if (!isTaken(error)) throw error;
    merge(moving, home);
  }
}

/** Moves all records of a folder into another one. Nothing is overwritten. */
function merge(from: string, to: string): void {
  for (const name of listRecords(from)) move(join(from, name), join(to, name));
  removeIfEmpty(from);
}

function move(from: string, to: string): void {
  const found = lstatSync(from, { throwIfNoEntry: false });
  // SAGA makes no links there, and follows none.
  if (!found || found.isSymbolicLink()) return;
  const there = lstatSync(to, { throwIfNoEntry: false });
  if (!there) rename(from, to);
  else if (found.isDirectory() && there.isDirectory()) {
    for (const name of readdirSync(from)) move(join(from, name), join(to, name));
    removeIfEmpty(from);
  } else if (isSameFile(from, to)) rmSync(from);
  else move(from, `${to}.older`);
}

function rename(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    // Another process has moved it.
    if (errorCodeOf(error) === 'ENOENT') return;
    if (errorCodeOf(error) !== 'EXDEV') throw error;
    cpSync(from, `${to}.copy`, { recursive: true, preserveTimestamps: true });
    renameSync(`${to}.copy`, to);
    rmSync(from, { recursive: true });
  }
}

function isSameFile(one: string, other: string): boolean {
  const areFiles = [one, other].every((it) => lstatSync(it).isFile());
  return areFiles && readFileSync(one).equals(readFileSync(other));
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // What is left in it belongs to the checkout.
  }
}

const isTaken = (error: unknown) => ['ENOTEMPTY', 'EEXIST'].includes(errorCodeOf(error) ?? '');
