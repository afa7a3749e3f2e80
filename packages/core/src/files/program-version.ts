import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Paths, programVersionFile } from '../project/paths.ts';
import { ensureIgnoredFolder } from './atomic-write.ts';

/**
 * Returns a program's version from a cache: asking the client takes longer than everything else a worker does before it
 * starts. A program whose path, size or change time is different is asked again.
 */
export async function recallVersion(
  paths: Paths,
  program: string,
  ask: () => Promise<string>,
): Promise<string> {
  const stamp = describeFile(program);
  if (stamp === undefined) return ask();
  const file = programVersionFile(paths, basename(program));
  const known = read(file);
  if (known?.stamp === stamp) return known.version;
  const version = await ask();
  remember(paths, file, { stamp, version });
  return version;
}

/**
 * Identifies a program file. Returns undefined for a script: a script stays the same when the program
 * it starts changes.
 */
function describeFile(program: string): string | undefined {
  const real = realpathSync(program);
  if (readStart(real) === '#!') return undefined;
  const { size, mtimeMs, ino } = statSync(real);
  return `${real} ${size} ${mtimeMs} ${ino}`;
}

function readStart(path: string): string {
  const handle = openSync(path, 'r');
  try {
    const start = Buffer.alloc(2);
    readSync(handle, start, 0, 2, 0);
    return start.toString('latin1');
  } finally {
    closeSync(handle);
  }
}

function read(file: string): { stamp: string; version: string } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // The cache is missing or incomplete: ask the program again.
    return undefined;
  }
}

function remember(paths: Paths, file: string, known: object): void {
  try {
    ensureIgnoredFolder(paths.cache);
    mkdirSync(dirname(file), { recursive: true });
    // The file is removed first, so that SAGA does not write through a link.
    rmSync(file, { force: true });
    writeFileSync(file, JSON.stringify(known), { flag: 'wx' });
  } catch {
    // If the cache cannot be written, that only costs time.
  }
}
