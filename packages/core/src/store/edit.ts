import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Epic } from '@saga-ai/types/epic';
import type { Schema } from '@saga-ai/types/schema';
import { Story } from '@saga-ai/types/story';
import { Task } from '@saga-ai/types/task';
import { SagaError } from '../errors.ts';
import { runInteractive } from '../programs/run.ts';
import { displayPath } from '../project/display-path.ts';
import { epicFile, type Paths, storyFile, taskFile } from '../project/paths.ts';
import { writeFileAtomic } from './atomic-write.ts';
import { readJsonFile } from './json-file.ts';
import { notFoundTask } from './not-found.ts';
import { loadItem } from './resolve.ts';
import { withProjectLock, withStoryLock } from './story-lock.ts';

export interface Edited {
  file: string;
  changed: boolean;
}

/** Lets a person change a definition; what is not valid is never saved, and never thrown away. */
export async function editDefinition(
  paths: Paths,
  id: string,
  taskId: string | undefined,
  editor: string,
): Promise<Edited> {
  const { path, schema, expectedId } = locate(paths, id, taskId);
  const file = displayPath(paths.root, path);
  const before = readFileSync(path, 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'saga-edit-'));
  const draft = join(folder, basename(path));
  writeFileSync(draft, before);
  await runInteractive(editor, [draft]);
  const after = readFileSync(draft, 'utf8');
  if (after === before) {
    rmSync(folder, { recursive: true, force: true });
    return { file, changed: false };
  }
  requireValid(folder, draft, schema, expectedId);
  const save = () => {
    if (readFileSync(path, 'utf8') !== before) {
      throw refuse(`${file} was changed by somebody else meanwhile`, draft);
    }
    writeFileAtomic(path, after.endsWith('\n') ? after : `${after}\n`);
  };
  if (schema === Epic) await withProjectLock(paths, save);
  else await withStoryLock(paths, id, save);
  rmSync(folder, { recursive: true, force: true });
  return { file, changed: true };
}

function locate(paths: Paths, id: string, taskId: string | undefined) {
  const item = loadItem(paths, id);
  if (item.kind === 'epic') return { path: epicFile(paths, id), schema: Epic, expectedId: id };
  if (taskId === undefined) return { path: storyFile(item.home), schema: Story, expectedId: id };
  const ids = item.tasks.map((task) => task.id);
  if (!ids.includes(taskId)) throw notFoundTask(id, taskId, ids);
  return { path: taskFile(item.home, taskId), schema: Task, expectedId: taskId };
}

function requireValid(
  folder: string,
  draft: string,
  schema: Schema<{ id: string }>,
  expectedId: string,
): void {
  const result = readJsonFile(folder, draft, schema);
  if ('problems' in result) {
    throw refuse(result.problems.map((problem) => problem.message).join('\n'), draft);
  }
  if (result.value.id !== expectedId) {
    throw refuse(`The id may not change (${expectedId} became ${result.value.id})`, draft);
  }
}

function refuse(reason: string, draft: string): SagaError {
  return new SagaError('edit-refused', `Not saved: ${reason}`, `Your text is kept in ${draft}`);
}
