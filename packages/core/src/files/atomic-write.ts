import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCodeOf, toWriteError } from '../errors.ts';
import { ensureFolder } from './ensure-folder.ts';

const TEMP = /^\..+\.(\d+)-[a-z0-9]+\.tmp$/;
let counter = 0;

/**
 * Readers see the old text or the new one, never half; once it returns, the new one is on disk.
 * `mayReplace` is asked when all is written but the rename; nothing happens when it says no.
 */
export function writeFileAtomic(
  path: string,
  text: string,
  mayReplace: () => boolean = () => true,
): boolean {
  const folder = dirname(path);
  const temp = join(
    folder,
    `.${basename(path)}.${process.pid}-${Date.now().toString(36)}${(counter++).toString(36)}.tmp`,
  );
  try {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode;
    writeDurably(temp, text, mode === undefined ? undefined : mode & 0o777);
    if (!mayReplace()) {
      rmSync(temp, { force: true });
      return false;
    }
    renameSync(temp, path);
    syncFolder(folder);
    return true;
  } catch (error) {
    rmSync(temp, { force: true });
    throw toWriteError(error, path);
  }
}

/** A new file on disk before this returns; fails when it exists. A mode that is given holds whatever the umask is. */
export function writeDurably(path: string, text: string, mode?: number): void {
  const handle = openSync(path, 'wx', mode ?? 0o644);
  try {
    // Asked first, because a file system without modes refuses to set one.
    if (mode !== undefined && (fstatSync(handle).mode & 0o777) !== mode) fchmodSync(handle, mode);
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** A rename survives a power cut only when its folder is synced too. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Temp files of a writer that was killed; call it only with that writer's lock in hand. */
export function sweepTemps(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (TEMP.test(name)) rmSync(join(folder, name), { force: true });
  }
}

/** A write takes milliseconds; what is older than this was left. */
const OLD_TEMP_MS = 60_000;

/**
 * Temp files of writers that were killed, in a folder that several write to without a lock. A name
 * tells only the number of its process, so a file stays while any process has that number, for a minute.
 */
export function sweepDeadTemps(folder: string, now = Date.now()): void {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return;
  for (const name of readdirSync(folder)) {
    const [, pid] = TEMP.exec(name) ?? [];
    const path = join(folder, name);
    const written = pid && statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (!written || (isAlive(Number(pid)) && now - written < OLD_TEMP_MS)) continue;
    rmSync(path, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCodeOf(error) !== 'ESRCH';
  }
}

/** A folder that git never sees, whatever the project's own ignore rules say. */
export function ensureIgnoredFolder(folder: string): void {
  const ignore = join(folder, '.gitignore');
  // An empty one is what a full disk left.
  if (statSync(ignore, { throwIfNoEntry: false })?.size) return;
  try {
    ensureFolder(folder);
    writeFileSync(ignore, '*\n');
  } catch (error) {
    const { path = folder } = error as { path?: string };
    throw toWriteError(error, path);
  }
}
