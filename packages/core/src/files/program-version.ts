import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import type { Paths } from '../project/paths.ts';
import { ensureIgnoredFolder } from './atomic-write.ts';

/**
 * A program's version, asked once: a client takes longer to say it than everything else a worker
 * looks at before it begins. Another file, size or time means that it is asked again.
 */
export async function recallVersion(
  paths: Paths,
  program: string,
  ask: () => Promise<string>,
): Promise<string> {
  const stamp = describeFile(program);
  if (stamp === undefined) return ask();
  const file = join(paths.cache, 'programs', basename(program));
  const known = read(file);
  if (known?.stamp === stamp) return known.version;
  const version = await ask();
  remember(paths, file, { stamp, version });
  return version;
}

/** A script stays the same when what it starts changes, so only a program itself is recognised. */
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
    // Not there yet, or cut off: it is asked again.
    return undefined;
  }
}

function remember(paths: Paths, file: string, known: object): void {
  try {
    ensureIgnoredFolder(paths.cache);
    mkdirSync(join(paths.cache, 'programs'), { recursive: true });
    writeFileSync(file, JSON.stringify(known));
  } catch {
    // A folder that cannot be written costs time, nothing else.
  }
}
