import { readFileSync } from 'node:fs';
import { formatJournalEntry, type JournalEntry } from '@saga-ai/types/plan/journal';
import { errorCodeOf, SagaError, toWriteError } from '../errors.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { READ } from '../files/json-file.ts';
import { refuseLinks } from '../files/own-links.ts';
import { journalFile, type Paths } from '../project/paths.ts';
import { withStoryLock } from './story-lock.ts';

/** Appends one entry. */
export async function appendJournal(
  paths: Paths,
  storyId: string,
  entry: JournalEntry,
): Promise<string> {
  return withStoryLock(paths, storyId, (home) => {
    const path = journalFile(home);
    refuseLinks(path);
    appendWhole(path, formatJournalEntry(entry));
    return path;
  });
}

const ATTEMPTS = 20;

/**
 * Replaces the whole file, because a kill can cut even a single append in two. A run edits the same
 * file without SAGA's lock, so the content is compared again just before the replacement.
 */
function appendWhole(path: string, entry: string): void {
  for (let attempt = 1; ; attempt++) {
    const before = readText(path);
    try {
      if (
        writeFileAtomic(
          path,
          `${before}${gapAfter(before)}${entry}`,
          () => readText(path) === before,
        )
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

/** Returns the line breaks that leave one blank line between the text and the next entry. */
function gapAfter(text: string): string {
  if (text === '' || text.endsWith('\n\n')) return '';
  return text.endsWith('\n') ? '\n' : '\n\n';
}

function changesTooOften(path: string): SagaError {
  return new SagaError(
    'lock-held',
    `${path} keeps being changed by another program.`,
    'Nothing was written. Try again in a moment.',
  );
}
