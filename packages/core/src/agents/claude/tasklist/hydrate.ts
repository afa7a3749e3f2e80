import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toClaudeTasks } from '@saga-ai/types/run/claude-task';
import { formatTaskListId } from '@saga-ai/types/words/names';
import { toWriteError } from '../../../errors.ts';
import { ensureFolder } from '../../../files/ensure-folder.ts';
import { requireRunnable } from '../../../plan/require-runnable.ts';
import type { LoadedStory } from '../../../plan/stories.ts';
import { type ClaudeHome, taskListFolder, tasksFolder } from './task-list-folder.ts';

export interface HydratedList {
  listId: string;
  folder: string;
  tasks: number;
}

/**
 * Writes a story's tasks as a fresh native list. It is prepared beside its place and renamed into
 * it, so that no session ever sees half a list, and a failure leaves nothing.
 */
export function hydrate(home: ClaudeHome, loaded: LoadedStory, timestamp: number): HydratedList {
  const { story, tasks } = requireRunnable(loaded);
  const listId = formatTaskListId({ storyId: story.id, timestamp });
  const folder = taskListFolder(home, listId);
  const prepared = join(tasksFolder(home), `.${listId}.${process.pid}.tmp`);
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

/** What a hydration of the same story left when it was killed; a story has one worker at a time. */
function sweepPrepared(folder: string, storyId: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(`.saga__${storyId}__`) && name.endsWith('.tmp')) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
}
