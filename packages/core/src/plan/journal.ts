import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addToJournal, formatJournalEntry, type JournalEntry } from '@saga-ai/types/plan/journal';
import { isForPeople } from '@saga-ai/types/plan/settle-journal';
import { errorCodeOf, SagaError, toWriteError } from '../errors.ts';
import { ensureIgnoredFolder, writeFileAtomic } from '../files/atomic-write.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { READ } from '../files/json-file.ts';
import { refuseLinks } from '../files/own-links.ts';
import { journalFile, type Paths, wordsFolder } from '../project/paths.ts';
import { withStoryLock } from './story-lock.ts';

/** Appends entries, all or none of them. Returns the path of the journal. */
export async function appendJournal(
  paths: Paths,
  storyId: string,
  ...entries: readonly JournalEntry[]
): Promise<string> {
  return withStoryLock(paths, storyId, (home) => {
    const path = journalFile(home);
    refuseLinks(path);
    for (const entry of entries) notePersonsWord(paths, storyId, entry);
    appendWhole(path, entries);
    return path;
  });
}

const ATTEMPTS = 20;

/**
 * Replaces the whole file, because a kill can cut even a single append in two. A run edits the same
 * file without SAGA's lock, so the content is compared again just before the replacement.
 */
function appendWhole(path: string, entries: readonly JournalEntry[]): void {
  for (let attempt = 1; ; attempt++) {
    const before = readText(path);
    try {
      if (
        writeFileAtomic(path, entries.reduce(addToJournal, before), () => readText(path) === before)
      ) {
        return;
      }
    } catch (error) {
      throw toWriteError(error, path);
    }
    if (attempt >= ATTEMPTS) throw changesTooOften(path);
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, READ);
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return '';
    throw toWriteError(error, path);
  }
}

function changesTooOften(path: string): SagaError {
  return new SagaError(
    'lock-held',
    `${path} keeps being changed by another program.`,
    'Nothing was written. Try again in a moment.',
  );
}

/**
 * Notes that an entry of the journal comes from a command of SAGA and not from a run. The note is in the main checkout,
 * where a run may not write; the journal is in its worktree, where it may. Written before the entry, so that a worker
 * never sees the entry without it.
 */
function notePersonsWord(paths: Paths, storyId: string, entry: JournalEntry): void {
  if (!isForPeople(entry)) return;
  ensureIgnoredFolder(paths.runs);
  ensureFolder(wordsFolder(paths, storyId));
  writeFileSync(noteOf(paths, storyId, entry), '', { mode: 0o600 });
}

export function isPersonsWord(paths: Paths, storyId: string, entry: JournalEntry): boolean {
  return existsSync(noteOf(paths, storyId, entry));
}

/** Removes the note of an entry that a worker has seen. From then on, the entry counts as older than the next run. */
export function forgetPersonsWord(paths: Paths, storyId: string, entry: JournalEntry): void {
  rmSync(noteOf(paths, storyId, entry), { force: true });
}

function noteOf(paths: Paths, storyId: string, entry: JournalEntry): string {
  const hash = createHash('sha256').update(formatJournalEntry(entry)).digest('hex');
  return join(wordsFolder(paths, storyId), hash);
}
