import { readFileSync } from 'node:fs';
import { formatJournalEntry, type JournalEntry } from '@saga-ai/types/plan/journal';
import { errorCodeOf, SagaError, toWriteError } from '../errors.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { journalFile, type Paths } from '../project/paths.ts';
import { withStoryLock } from './story-lock.ts';

/** Adds one entry at the end. */
export async function appendJournal(
  paths: Paths,
  storyId: string,
  entry: JournalEntry,
): Promise<string> {
  return withStoryLock(paths, storyId, (home) => {
    const path = journalFile(home);
    appendWhole(path, formatJournalEntry(entry));
    return path;
  });
}

const ATTEMPTS = 20;

/**
 * The file is replaced as a whole, because a kill can cut even a single append in two. A run edits
 * the same file without our lock: what it wrote since we read is looked for at the last moment.
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
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return '';
    throw toWriteError(error, path);
  }
}

/** What it takes to put one blank line between the end of the text and the next entry. */
function gapAfter(text: string): string {
  if (text === '' || text.endsWith('\n\n')) return '';
  return text.endsWith('\n') ? '\n' : '\n\n';
}

function changesTooOften(path: string): SagaError {
  return new SagaError(
    'lock-held',
    `${path} is being changed again and again by somebody else.`,
    'Nothing was written. Try once more in a moment.',
  );
}
