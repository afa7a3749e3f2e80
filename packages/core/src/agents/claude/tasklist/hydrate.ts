import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatTaskListId, parseTaskListId } from '@saga-ai/types/words/names';
import { toWriteError } from '../../../errors.ts';
import { ensureFolder } from '../../../files/ensure-folder.ts';
import { requireRunnable } from '../../../plan/require-runnable.ts';
import type { LoadedStory } from '../../../plan/stories.ts';
import type { AgentHome, HydratedList } from '../../agent.ts';
import { toClaudeTasks } from './claude-task.ts';
import { taskListFolder, tasksFolder } from './task-list-folder.ts';

/**
 * Writes a story's tasks as a new native list. The list is prepared in another folder and then
 * renamed, so that no session sees half a list and a failure leaves nothing.
 */
export function hydrate(home: AgentHome, loaded: LoadedStory, timestamp: number): HydratedList {
  const { story, tasks } = requireRunnable(loaded);
  const listId = formatTaskListId({ storyId: story.id, timestamp });
  const folder = taskListFolder(home, listId);
  const prepared = join(tasksFolder(home), formatPrepared(listId));
  try {
    ensureFolder(tasksFolder(home));
    sweepPrepared(tasksFolder(home), story.id);
    mkdirSync(prepared);
    for (const task of toClaudeTasks(tasks)) {
      writeFileSync(join(prepared, `${task.id}.json`), JSON.stringify(task, null, 2));
    }
    renameSync(prepared, folder);
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    throw toWriteError(error, folder);
  }
  return { listId, folder, tasks: tasks.length };
}

const formatPrepared = (listId: string) => `.${listId}.${process.pid}.tmp`;
const parsePrepared = (name: string) => parseTaskListId(/^\.(.+)\.\d+\.tmp$/.exec(name)?.[1] ?? '');

/**
 * Removes what a killed hydration of this story left. A story has only one worker, so none is in
 * progress.
 */
function sweepPrepared(folder: string, storyId: string): void {
  for (const name of readdirSync(folder)) {
    if (parsePrepared(name)?.storyId === storyId) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
}
