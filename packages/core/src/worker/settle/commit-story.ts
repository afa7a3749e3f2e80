import { storyPath } from '@saga-ai/types/plan/plan-paths';
import { commitPath } from '../../git/commit.ts';
import { openPlainGit } from '../../git/plain-git.ts';
import type { Worktree } from '../../git/worktree.ts';
import { loadStory } from '../../plan/stories.ts';
import type { Worker } from '../context.ts';

/** Commits the story's folder. The default message says how many tasks are completed. */
export async function commitStory(
  worker: Worker,
  worktree: Worktree,
  what?: string,
): Promise<boolean> {
  const { paths, storyId } = worker;
  const git = openPlainGit(worktree.folder, worktree.git.env);
  const { tasks } = loadStory(paths, storyId);
  const completed = tasks.filter((task) => task.status === 'completed').length;
  const message = `saga: ${storyId} ${what ?? `${completed}/${tasks.length} tasks completed`}`;
  return commitPath(git, storyPath(storyId), message);
}
