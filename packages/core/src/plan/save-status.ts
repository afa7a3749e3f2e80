import { existsSync, readFileSync } from 'node:fs';
import { isId, RESERVED_TASK_IDS } from '@saga-ai/types/plan/ids';
import { TASK_STATUSES } from '@saga-ai/types/plan/status';
import { withoutMark } from '@saga-ai/types/words/without-mark';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { READ } from '../files/json-file.ts';
import { editJson } from '../files/json-text.ts';
import { type Paths, taskFile } from '../project/paths.ts';
import { withStoryLock } from './story-lock.ts';

export type SavedStatus = 'changed' | 'unchanged' | 'unknown-task' | 'illegal-status';

/**
 * Writes one status into a story's task file without loading the schemas: a hook does this after a
 * tool call, and loading them would take longer than the rest. A file that is not a task is left
 * unchanged.
 */
export async function saveStatus(
  paths: Paths,
  storyId: string,
  taskId: string,
  status: string,
): Promise<SavedStatus> {
  if (!(TASK_STATUSES as readonly string[]).includes(status)) return 'illegal-status';
  if (!isId(taskId) || RESERVED_TASK_IDS.includes(taskId)) return 'unknown-task';
  return withStoryLock(paths, storyId, (home) => {
    const file = taskFile(home, taskId);
    if (!existsSync(file)) return 'unknown-task';
    const text = withoutMark(readFileSync(file, READ));
    if (typeof JSON.parse(text)?.status !== 'string') return 'unknown-task';
    const edited = editJson(text, { status });
    if (edited === text) return 'unchanged';
    writeFileAtomic(file, edited);
    return 'changed';
  });
}
