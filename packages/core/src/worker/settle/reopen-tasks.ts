import { storyPath } from '@saga-ai/types/plan/plan-paths';
import type { Git } from '../../git/git.ts';
import { loadStory, saveTaskFields } from '../../plan/stories.ts';
import type { Worker } from '../context.ts';

/**
 * Sets the tasks that were completed since a commit back to pending: the run left work beside the branch,
 * so nobody knows whether the branch contains what those tasks are about. Returns their ids.
 */
export async function reopenTasks(worker: Worker, git: Git, since: string): Promise<string[]> {
  const { paths, storyId, emit } = worker;
  const reopened: string[] = [];
  for (const { id, status } of loadStory(paths, storyId).tasks) {
    if (status !== 'completed' || (await wasCompleted(git, since, storyId, id))) continue;
    await saveTaskFields(paths, storyId, id, { status: 'pending' });
    const why = 'the run left work beside the branch';
    emit('task:status', { task: id, from: 'completed', to: 'pending', why });
    reopened.push(id);
  }
  return reopened;
}

async function wasCompleted(git: Git, since: string, storyId: string, id: string) {
  const before = await git.attempt(['show', `${since}:${storyPath(storyId)}/${id}.json`]);
  if (before.code !== 0) return false;
  try {
    return (JSON.parse(before.stdout) as { status?: unknown } | null)?.status === 'completed';
  } catch {
    // The file was no JSON then, so the task was not completed.
    return false;
  }
}
