import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { formatJournalEntry, type JournalEntry } from '@saga-ai/types/journal';
import { toWriteError } from '../errors.ts';
import { journalFile, type Paths } from '../project/paths.ts';
import { withStoryLock } from './story-lock.ts';

/**
 * Adds one entry at the end. It appends instead of rewriting, since a run may be editing the same
 * file without our lock; a write that fails half-way is cut off again.
 */
export async function appendJournal(
  paths: Paths,
  storyId: string,
  entry: JournalEntry,
): Promise<string> {
  return withStoryLock(paths, storyId, (home) => {
    const path = journalFile(home);
    try {
      appendDurably(path, formatJournalEntry(entry));
    } catch (error) {
      throw toWriteError(error, path);
    }
    return path;
  });
}

function appendDurably(path: string, entry: string): void {
  const handle = openSync(path, 'a+');
  try {
    const { size } = fstatSync(handle);
    const bytes = Buffer.from(`${gapAfter(handle, size)}${entry}`);
    try {
      for (let sent = 0; sent < bytes.length; ) sent += writeSync(handle, bytes, sent);
      fsyncSync(handle);
    } catch (error) {
      ftruncateSync(handle, size);
      if (size === 0) unlinkSync(path);
      throw error;
    }
  } finally {
    closeSync(handle);
  }
}

/** What it takes to put one blank line between the end of the file and the next entry. */
function gapAfter(handle: number, size: number): string {
  if (size === 0) return '';
  const tail = Buffer.alloc(Math.min(2, size));
  readSync(handle, tail, 0, tail.length, size - tail.length);
  const end = tail.toString('latin1');
  return end.endsWith('\n\n') ? '' : end.endsWith('\n') ? '\n' : '\n\n';
}
