import { join } from 'node:path';
import { parseJournal } from '@saga-ai/types/plan/journal';
import { journalPath } from '@saga-ai/types/plan/plan-paths';
import { isForPeople, settleJournal } from '@saga-ai/types/plan/settle-journal';
import { writeFileAtomic } from '../../files/atomic-write.ts';
import { readIfThere } from '../../files/read-text.ts';
import { forgetPersonsWord, isPersonsWord } from '../../plan/journal.ts';
import { withStoryLock } from '../../plan/story-lock.ts';
import { noteInJournal } from '../../plan/worker-notes.ts';
import { journalFile } from '../../project/paths.ts';
import type { Worker } from '../context.ts';
import { keepAside } from './restore-definitions.ts';

/**
 * Puts back what a run changed in the entries that the journal had before. Answers that the run wrote
 * itself are taken out; those of a person stay.
 */
export async function restoreJournal(
  worker: Worker,
  before: string,
  keepIn: string,
): Promise<void> {
  const { paths, storyId, emit } = worker;
  const found = await withStoryLock(paths, storyId, (home) => {
    const file = journalFile(home);
    const after = readIfThere(file) ?? '';
    const settled = settleJournal(before, after, (it) => isPersonsWord(paths, storyId, it));
    if (settled.text !== after) {
      keepAside(file, join(keepIn, journalPath(storyId)));
      writeFileAtomic(file, settled.text);
    }
    const { entries } = parseJournal(settled.text);
    for (const it of entries) if (isForPeople(it)) forgetPersonsWord(paths, storyId, it);
    return settled;
  });
  const { isRewritten } = found;
  const dropped = found.dropped.map(({ title }) => title);
  if (!isRewritten && dropped.length === 0) return;
  emit('journal:restored', { isRewritten, dropped, keptIn: keepIn });
  const named = dropped.map((title) => JSON.stringify(title)).join(', ');
  if (dropped.length > 0) {
    await noteInJournal(worker, `a run wrote answers of its own, which do not count: ${named}`);
  }
}
