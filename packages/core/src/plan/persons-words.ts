import { createHash } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatJournalEntry, type JournalEntry } from '@saga-ai/types/plan/journal';
import { isForPeople } from '@saga-ai/types/plan/settle-journal';
import { ensureIgnoredFolder } from '../files/atomic-write.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import type { Paths } from '../project/paths.ts';

/**
 * Notes that an entry of the journal comes from a command of SAGA and not from a run. The note lies in
 * the main checkout: a run is told to write the journal, but has no business here. Written before the
 * entry, so that a worker never sees the entry without it.
 */
export function notePersonsWord(paths: Paths, storyId: string, entry: JournalEntry): void {
  if (!isForPeople(entry)) return;
  ensureIgnoredFolder(paths.runs);
  ensureFolder(folderOf(paths, storyId));
  writeFileSync(noteOf(paths, storyId, entry), '', { mode: 0o600 });
}

export function isPersonsWord(paths: Paths, storyId: string, entry: JournalEntry): boolean {
  return existsSync(noteOf(paths, storyId, entry));
}

/** Removes the note of an entry that a worker has seen: from now on the entry is one of those before a run. */
export function forgetPersonsWord(paths: Paths, storyId: string, entry: JournalEntry): void {
  rmSync(noteOf(paths, storyId, entry), { force: true });
}

const folderOf = (paths: Paths, storyId: string) => join(paths.runs, 'words', storyId);

function noteOf(paths: Paths, storyId: string, entry: JournalEntry): string {
  const hash = createHash('sha256').update(formatJournalEntry(entry)).digest('hex');
  return join(folderOf(paths, storyId), hash);
}
