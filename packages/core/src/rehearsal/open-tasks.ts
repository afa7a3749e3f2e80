import { rmSync } from 'node:fs';
import { storyPath } from '@saga-ai/types/plan/plan-paths';
import { commitPath } from '../git/commit.ts';
import type { Worktree } from '../git/worktree.ts';
import { loadStory, saveTaskFields } from '../plan/stories.ts';
import { evidenceFile, journalFile, type Paths } from '../project/paths.ts';

const UNTOUCHED = {
  status: 'pending',
  attempts: undefined,
  lastOutcome: undefined,
  escalated: undefined,
};

/** Sets all tasks to pending, so that a rehearsal covers the whole story. */
export async function openTasks(paths: Paths, storyId: string, { git }: Worktree): Promise<void> {
  const { tasks, home } = loadStory(paths, storyId);
  for (const { id } of tasks) await saveTaskFields(paths, storyId, id, UNTOUCHED);
  for (const file of [evidenceFile(home), journalFile(home)]) rmSync(file, { force: true });
  await commitPath(git, storyPath(storyId), `saga: open all tasks of ${storyId}`);
}
