import type { Problem } from '@saga-ai/types/words/problem';
import { loadStory, saveTaskFields } from '../../../plan/stories.ts';
import type { Paths } from '../../../project/paths.ts';
import type { RunEnd } from '../../agent.ts';
import { changeNativeTask } from './native-edit.ts';
import { readNativeList } from './native-list.ts';
import { type Attempt, decideSync, type SyncPlan } from './task-sync.ts';

export interface ReconciledList extends SyncPlan {
  /** Files of the list or the story that could not be read; they change nothing. */
  problems: Problem[];
}

/** Updates a story's tasks from its native list. May be called again, also while a run works. */
export async function reconcile(
  paths: Paths,
  storyId: string,
  listFolder: string,
  ended?: RunEnd,
): Promise<ReconciledList> {
  const { tasks, problems } = loadStory(paths, storyId);
  const native = readNativeList(listFolder);
  const plan = decideSync({
    story: tasks,
    native: native.tasks,
    invalid: native.invalid,
    ended,
  });
  for (const { taskId, to, attempt, putBack } of plan.changes) {
    if (putBack) await putBackInList(listFolder, taskId, attempt);
    await saveTaskFields(paths, storyId, taskId, { status: to, ...attempt });
  }
  return { ...plan, problems: [...problems, ...native.problems] };
}

/** Makes the task pending in the list again and keeps its history: the next run uses the same list. */
async function putBackInList(
  folder: string,
  taskId: string,
  attempt: Attempt | undefined,
): Promise<void> {
  const counted = attempt && {
    attempt_count: attempt.attempts,
    last_outcome: attempt.lastOutcome,
  };
  await changeNativeTask(folder, taskId, ({ owner: _, ...task }) => ({
    ...task,
    status: 'pending',
    metadata: { ...task.metadata, ...counted },
  }));
}
