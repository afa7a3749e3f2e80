import { buildResolution, type JournalEntry } from '@saga-ai/types/plan/journal';
import type { Worktree } from '../../git/worktree.ts';
import { appendJournal } from '../../plan/journal.ts';
import type { Worker } from '../context.ts';
import { publish } from '../deliver/publish.ts';
import { commitStory } from './commit-story.ts';

/**
 * Notes in the journal that a run was told of this feedback, so that no later run is told it as new. If the
 * worker is killed before, the next run is told again.
 */
export async function closeFeedback(
  worker: Worker,
  worktree: Worktree,
  feedback: readonly JournalEntry[],
  commits: { from: string; to: string | undefined },
): Promise<void> {
  if (feedback.length === 0) return;
  const body = describeCommits(commits);
  for (const entry of feedback) {
    const resolution = buildResolution(entry, body, new Date().toISOString());
    await appendJournal(worker.paths, worker.storyId, resolution);
  }
  await commitStory(worker, worktree, 'feedback was told to a run');
  await publish(worker, worktree);
}

function describeCommits({ from, to }: { from: string; to: string | undefined }): string {
  if (to === undefined || to === from) return 'A run was told of this. It made no commit.';
  return `A run was told of this. Its commits: ${from.slice(0, 12)}..${to.slice(0, 12)}`;
}
