import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { listEntries } from '../files/list-folder.ts';
import { readIfReadable } from '../files/read-text.ts';
import type { Git } from './git.ts';

/** Begins the value of a symbolic ref. */
export const SYMBOLIC = 'ref: ';

/**
 * Reads all refs of a repository. The value of a symbolic ref is `ref: ` and its target. git's files are
 * read directly, because that is several times faster with thousands of refs; a repository with another
 * store for its refs is left to git. A file that did not change since the last time is not read again.
 */
export async function readRefs(
  git: Git,
  shared: string,
  now = Date.now(),
): Promise<Map<string, string>> {
  if (existsSync(join(shared, 'reftable'))) return listRefs(git);
  const refs = new Map<string, string>();
  for (const line of readText(join(shared, 'packed-refs')).split('\n')) {
    const at = line.indexOf(' ');
    if (at >= 40 && line[0] !== '#') refs.set(line.slice(at + 1), line.slice(0, at));
  }
  const [known, seen] = [MEMORY.get(shared) ?? new Map(), new Map<string, Remembered>()];
  readLoose(shared, 'refs', refs, { known, seen, now });
  MEMORY.set(shared, seen);
  return refs;
}

/** A file as it was when it was read. No program can set a change time. */
interface Remembered {
  stamp: string;
  value: string;
}

/** By git's folder, for as long as this process lives. A run cannot reach it. */
const MEMORY = new Map<string, ReadonlyMap<string, Remembered>>();

interface Memory {
  known: ReadonlyMap<string, Remembered>;
  seen: Map<string, Remembered>;
  now: number;
}

/** A file that changes twice within this time may keep its change time. */
const RACY_MS = 1_000;

function readLoose(
  shared: string,
  folder: string,
  refs: Map<string, string>,
  memory: Memory,
): void {
  for (const entry of listEntries(join(shared, folder))) {
    const ref = `${folder}/${entry.name}`;
    const path = join(shared, ref);
    if (entry.isDirectory()) readLoose(shared, ref, refs, memory);
    else if (entry.isSymbolicLink()) refs.set(ref, `${SYMBOLIC}${readlinkSync(path)}`);
    else if (entry.isFile() && !entry.name.endsWith('.lock')) {
      const value = readValue(ref, path, memory);
      if (value !== '') refs.set(ref, value);
    }
  }
}

function readValue(ref: string, path: string, { known, seen, now }: Memory): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return '';
  const stamp = `${found.ino} ${found.size} ${found.ctimeMs}`;
  const before = known.get(ref);
  const value = before?.stamp === stamp ? before.value : readText(path).trim();
  if (found.ctimeMs < now - RACY_MS) seen.set(ref, { stamp, value });
  return value;
}

async function listRefs(git: Git): Promise<Map<string, string>> {
  const printed = await git.run(['for-each-ref', '--format=%(objectname) %(refname) %(symref)']);
  const refs = new Map<string, string>();
  for (const line of printed.split('\n')) {
    const [value = '', ref = '', target = ''] = line.split(' ');
    if (ref !== '') refs.set(ref, target === '' ? value : `${SYMBOLIC}${target}`);
  }
  return refs;
}

/** A file that was removed just now has no text. */
const readText = (path: string) => readIfReadable(path) ?? '';

/** The text of git's file for refs that have no file of their own, in the order of their bytes. */
export function formatPackedRefs(
  refs: readonly (readonly [ref: string, commit: string])[],
): string {
  const bytes = refs.map(([ref, commit]) => [Buffer.from(ref), `${commit} ${ref}\n`] as const);
  const lines = bytes.toSorted(([a], [b]) => Buffer.compare(a, b)).map(([, line]) => line);
  return `# pack-refs with: sorted \n${lines.join('')}`;
}
