import type { Problem } from '@saga-ai/types/words/problem';
import { loadStory, saveTaskFields } from '../../../plan/stories.ts';
import type { Paths } from '../../../project/paths.ts';
import type { RunEnd } from '../../agent.ts';
import { changeNativeTask } from './native-edit.ts';
import { readNativeList } from './native-list.ts';
import { type Attempt, decideSync, type SyncPlan } from './task-sync.ts';

export interface Reconciled extends SyncPlan {
  /** Files of the list or the story that could not be read; nothing was concluded from them. */
  problems: Problem[];
}

/** Brings a story up to what its native list says. May be repeated, also beside a live session. */
export async function reconcile(
  paths: Paths,
  storyId: string,
  listFolder: string,
  ended?: RunEnd,
): Promise<Reconciled> {
  const { tasks, problems } = loadStory(paths, storyId);
  const native = readNativeList(listFolder);
  const plan = decideSync({
    story: tasks,
    native: native.tasks,
    invalid: native.invalid,
    ...(ended ? { ended } : {}),
  });
  for (const { taskId, to, attempt, putBack } of plan.changes) {
    if (putBack) await putBackInList(listFolder, taskId, attempt);
    await saveTaskFields(paths, storyId, taskId, { status: to, ...attempt });
  }
  return { ...plan, problems: [...problems, ...native.problems] };
}

/** The next run works on the same list, so it must find the task free and its history there. */
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
