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
import { refuseLinksIn } from './own-links.ts';

const TEMP = /^\..+\.(\d+)-[a-z0-9]+\.tmp$/;
let counter = 0;

/**
 * Replaces a file. Readers see the old text or the new one, never half; when this returns, the new
 * text is on disk. `mayReplace` is called just before the rename; if it returns false, nothing is
 * changed.
 */
export function writeFileAtomic(
  path: string,
  text: string,
  mayReplace: () => boolean = () => true,
  givenMode?: number,
): boolean {
  const folder = dirname(path);
  const temp = join(
    folder,
    `.${basename(path)}.${process.pid}-${Date.now().toString(36)}${(counter++).toString(36)}.tmp`,
  );
  try {
    const mode = givenMode ?? statSync(path, { throwIfNoEntry: false })?.mode;
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

/**
 * Like writeFileAtomic, but only the owner may read the file afterwards, even if others could read it before.
 */
export function replacePrivately(path: string, text: string): void {
  writeFileAtomic(path, text, () => true, 0o600);
}

/** Writes a new file to disk; fails if it exists. A given mode applies regardless of the umask. */
export function writeDurably(path: string, text: string | Uint8Array, mode?: number): void {
  const handle = openSync(path, 'wx', mode ?? 0o644);
  try {
    // Compare first, because a file system without modes refuses to set one.
    if (mode !== undefined && (fstatSync(handle).mode & 0o777) !== mode) fchmodSync(handle, mode);
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Syncs a folder: a rename survives a power cut only if its folder is synced too. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Removes the temporary files of a killed writer. The caller must hold that writer's lock. */
export function sweepTemps(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (TEMP.test(name)) rmSync(join(folder, name), { force: true });
  }
}

/** A write takes milliseconds; an older temporary file was left behind. */
const OLD_TEMP_MS = 60_000;

/**
 * Removes the temporary files of killed writers in a folder without a lock. The name contains only a
 * process number, so while a process has that number the file stays, for at most a minute.
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

/** Creates a folder that git ignores, even if the project's own ignore rules do not name it. */
export function ensureIgnoredFolder(folder: string): void {
  refuseLinksIn(folder);
  const ignore = join(folder, '.gitignore');
  // An empty .gitignore was left by a full disk and is written again.
  if (statSync(ignore, { throwIfNoEntry: false })?.size) return;
  try {
    ensureFolder(folder);
    writeFileSync(ignore, '*\n');
  } catch (error) {
    const { path = folder } = error as { path?: string };
    throw toWriteError(error, path);
  }
}
