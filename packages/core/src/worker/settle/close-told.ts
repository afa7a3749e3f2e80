import { findEntry, pairResolutions, parseJournal } from '@saga-ai/types/plan/journal';
import { buildToldNote, type RunCommits } from '@saga-ai/types/plan/worker-notes';
import { appendJournal } from '../../plan/journal.ts';
import { loadStory } from '../../plan/stories.ts';
import type { Worker } from '../context.ts';

/**
 * Notes in the journal that a run was told of these entries, by their ids, so that no later run is told them as new. May
 * be called again: skips what is closed already.
 */
export async function closeTold(
  { paths, storyId }: Pick<Worker, 'paths' | 'storyId'>,
  ids: readonly string[],
  commits: RunCommits,
): Promise<void> {
  const { entries } = parseJournal(loadStory(paths, storyId).journal);
  const closed = pairResolutions(entries);
  for (const id of ids) {
    const entry = findEntry(entries, id);
    if (entry === undefined || closed.has(entry)) continue;
    const note = buildToldNote(entry, commits, new Date().toISOString());
    await appendJournal(paths, storyId, note);
  }
}
