import { findOpenFeedback, parseJournal } from '@saga-ai/types/plan/journal';
import { buildToldNote } from '@saga-ai/types/plan/worker-notes';
import { appendJournal } from '../../plan/journal.ts';
import { loadStory } from '../../plan/stories.ts';
import type { Worker } from '../context.ts';

/**
 * Notes in the journal that a run was told of this feedback, so that no later run is told it as new. May be repeated:
 * what is closed already is left alone.
 */
export async function closeFeedback(
  { paths, storyId }: Worker,
  titles: readonly string[],
  commits: { from: string; to: string | undefined },
): Promise<void> {
  const open = findOpenFeedback(parseJournal(loadStory(paths, storyId).journal).entries);
  for (const entry of open.filter((it) => titles.includes(it.title))) {
    const note = buildToldNote(entry, describeCommits(commits), new Date().toISOString());
    await appendJournal(paths, storyId, note);
  }
}

function describeCommits({ from, to }: { from: string; to: string | undefined }): string {
  if (to === undefined || to === from) return 'It made no commit.';
  return `Its commits: ${from.slice(0, 12)}..${to.slice(0, 12)}`;
}
