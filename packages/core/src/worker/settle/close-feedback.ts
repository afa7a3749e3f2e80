import { findOpenFeedback, parseJournal } from '@saga-ai/types/plan/journal';
import { buildToldNote, type RunCommits } from '@saga-ai/types/plan/worker-notes';
import { appendJournal } from '../../plan/journal.ts';
import { loadStory } from '../../plan/stories.ts';
import type { Worker } from '../context.ts';

/**
 * Notes in the journal that a run was told of this feedback, so that no later run is told it as new. May be called
 * again: skips feedback that is closed already.
 */
export async function closeFeedback(
  { paths, storyId }: Worker,
  titles: readonly string[],
  commits: RunCommits,
): Promise<void> {
  const open = findOpenFeedback(parseJournal(loadStory(paths, storyId).journal).entries);
  for (const entry of open.filter((it) => titles.includes(it.title))) {
    const note = buildToldNote(entry, commits, new Date().toISOString());
    await appendJournal(paths, storyId, note);
  }
}
