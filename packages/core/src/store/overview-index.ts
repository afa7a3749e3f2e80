import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Problem, StoryFacts } from '@saga-ai/types';
import { ensureIgnoredFolder } from './atomic-write.ts';

/**
 * What the scanner remembers of each story folder. An entry counts only while the folder and every
 * file that was read still carry the change times they had, so it can cost time but never truth.
 * File times are checked beside the folder's, since an editor that saves in place leaves the
 * folder's alone; change time rather than modification time, since nothing can set it back.
 */
export interface IndexEntry {
  facts: StoryFacts;
  problems: Problem[];
  names: string[];
  /** Change times: the folder first, then each name. */
  stamps: number[];
}

export type OverviewIndex = Map<string, IndexEntry>;

/** Raise it when the meaning of an entry changes. */
const FORMAT = 1;

/** An unreadable, cut or foreign index is an empty one. */
export function loadOverviewIndex(path: string): OverviewIndex {
  try {
    const text = readFileSync(path, 'latin1');
    const end = text.indexOf('\n');
    const body = text.slice(end + 1);
    if (text.slice(0, end) !== header(body)) return new Map();
    return new Map(JSON.parse(Buffer.from(body, 'latin1').toString('utf8')));
  } catch {
    // No index yet, or no right to read it: everything is scanned.
    return new Map();
  }
}

export function saveOverviewIndex(path: string, index: OverviewIndex): void {
  try {
    ensureIgnoredFolder(dirname(path));
    const body = Buffer.from(JSON.stringify([...index])).toString('latin1');
    const temp = join(dirname(path), `.overview.${process.pid}.tmp`);
    writeFileSync(temp, `${header(body)}\n${body}`, 'latin1');
    renameSync(temp, path);
  } catch {
    // A read-only project can be looked at all the same, only not faster next time.
  }
}

function header(body: string): string {
  return `saga-overview ${FORMAT} ${crc32(body).toString(16)} ${body.length}`;
}

/** The change times of a folder and its files; nothing when one of them is gone. */
export function readStamps(home: string, names: readonly string[]): number[] | undefined {
  const folder = statSync(home, { throwIfNoEntry: false });
  if (!folder) return undefined;
  const stamps = [folder.ctimeMs];
  for (const name of names) {
    const file = statSync(`${home}/${name}`, { throwIfNoEntry: false });
    if (!file) return undefined;
    stamps.push(file.ctimeMs);
  }
  return stamps;
}

export function isCurrent(entry: IndexEntry, home: string): boolean {
  const { names, stamps } = entry;
  if (statSync(home, { throwIfNoEntry: false })?.ctimeMs !== stamps[0]) return false;
  for (let i = 0; i < names.length; i++) {
    const file = statSync(`${home}/${names[i]}`, { throwIfNoEntry: false });
    if (file?.ctimeMs !== stamps[i + 1]) return false;
  }
  return true;
}

/**
 * Two changes within one tick of the file system's clock carry the same time, so what changed just
 * now is not remembered. Most file systems tick in milliseconds, some only in seconds.
 */
export function isSettled(stamps: readonly number[], now: number): boolean {
  return stamps.every((stamp) => now - stamp > (stamp % 1000 === 0 ? 2500 : 50));
}
