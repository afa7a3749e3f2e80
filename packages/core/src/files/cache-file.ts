import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ensureIgnoredFolder } from './atomic-write.ts';

/**
 * Loads what one command remembers for the next: JSON below a line with its kind, length and checksum. Returns
 * undefined if the file is missing, cut, altered or of another kind.
 */
export function loadCacheFile(path: string, kind: string): unknown {
  try {
    const bytes = readFileSync(path);
    const end = bytes.indexOf('\n');
    const body = bytes.subarray(end + 1);
    if (bytes.toString('latin1', 0, end) !== formatHeader(kind, body)) return undefined;
    return JSON.parse(body.toString());
  } catch {
    // The file does not exist or may not be read: the caller computes the value again.
    return undefined;
  }
}

/** Makes the file's folder if need be, but not the one above: a project that was moved away stays away. */
export function saveCacheFile(path: string, kind: string, value: unknown): void {
  if (!existsSync(dirname(dirname(path)))) return;
  const name = basename(path).replace(/\.json$/, '');
  const temp = join(dirname(path), `.${name}.${process.pid}.tmp`);
  try {
    ensureIgnoredFolder(dirname(path));
    const body = Buffer.from(JSON.stringify(value));
    writeFileSync(temp, Buffer.concat([Buffer.from(`${formatHeader(kind, body)}\n`), body]));
    renameSync(temp, path);
  } catch {
    // A project on a full or read-only disk can be looked at all the same, only not faster.
    removeQuietly(temp);
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // If the disk cannot be written, there is no temporary file to remove.
  }
}

function formatHeader(kind: string, body: Uint8Array): string {
  return `${kind} ${body.length} ${crc32(body)}`;
}
