import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Epic } from '@saga-ai/types/plan/epic';
import { Story } from '@saga-ai/types/plan/story';
import { Task } from '@saga-ai/types/plan/task';
import type { Schema } from '@saga-ai/types/schema';
import type { Problem } from '@saga-ai/types/words/problem';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { notFoundTask } from '../plan/not-found.ts';
import { loadItem } from '../plan/resolve.ts';
import { requireIdle, withProjectLock, withStoryLock } from '../plan/story-lock.ts';
import { describeUnknown } from '../plan/unknown-problems.ts';
import { displayPath } from '../project/display-path.ts';
import { epicFile, type Paths, storyFile, taskFile } from '../project/paths.ts';
import { createJsonLanguage, editText } from './edit-text.ts';

export interface Edited {
  file: string;
  changed: boolean;
  /** Fields that SAGA does not know. They were kept. */
  problems: Problem[];
}

/** Lets a person edit a story, a task or an epic, in its live copy. */
export async function editDefinition(
  paths: Paths,
  id: string,
  taskId: string | undefined,
  editor: string | (() => string),
): Promise<Edited> {
  const { path, schema, kind } = locate(paths, id, taskId);
  if (schema !== Epic) requireIdle(paths, id);
  const file = displayPath(paths.root, path);
  const before = { name: basename(path), text: readFileSync(path, 'utf8') };
  const language = createJsonLanguage(
    { ...before, id: taskId ?? id },
    schema as Schema<{ id: string }>,
  );
  // The editor is looked up late, because the error for a missing item is more useful than the one for a missing
  // editor.
  const command = typeof editor === 'string' ? editor : editor();
  const edited = await editText(before, language, command);
  if (!edited) return { file, changed: false, problems: [] };
  const save = () => {
    edited.requireUnchanged(readFileSync(path, 'utf8'));
    writeFileAtomic(path, edited.text);
  };
  if (schema === Epic) await withProjectLock(paths, save);
  else {
    await withStoryLock(paths, id, () => {
      requireIdle(paths, id);
      save();
    });
  }
  edited.discard();
  return { file, changed: true, problems: describeUnknown(edited.value, kind, () => file) };
}

function locate(paths: Paths, id: string, taskId: string | undefined) {
  const item = loadItem(paths, id);
  if (item.kind === 'epic')
    return { path: epicFile(paths, id), schema: Epic, kind: 'epic' as const };
  if (taskId === undefined) {
    return { path: storyFile(item.home), schema: Story, kind: 'story' as const };
  }
  const ids = item.tasks.map((task) => task.id);
  if (!ids.includes(taskId)) throw notFoundTask(id, taskId, ids);
  return { path: taskFile(item.home, taskId), schema: Task, kind: 'task' as const };
}
