import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNearest } from '@saga-ai/types/words/nearest';
import { errorCodeOf, SagaError, toWriteError } from '../../../errors.ts';
import { toError } from '../../../files/json-file.ts';
import { listFolder } from '../../../files/list-folder.ts';
import { ClaudeTask } from './claude-task.ts';
import { tryWithClientLock, withClientLock } from './client-lock.ts';
import {
  raiseHighWatermark,
  readHighWatermark,
  sweepLeftovers,
  taskPath,
  writeNativeTask,
} from './native-file.ts';
import { readNativeTask } from './native-list.ts';
import { sanitise } from './task-list-folder.ts';

/** Returns the changed task, or undefined to leave it as it is. */
export type Change = (task: ClaudeTask) => ClaudeTask | undefined;

/** Changes one task under the client's lock and returns the new task. */
export async function changeNativeTask(
  folder: string,
  id: string,
  change: Change,
): Promise<ClaudeTask> {
  requireTaskFile(folder, id);
  return withClientLock(taskPath(folder, id), () => applyChange(folder, id, change));
}

/** Like changeNativeTask, but returns undefined at once if another process holds the lock. */
export function tryChangeNativeTask(
  folder: string,
  id: string,
  change: Change,
): ClaudeTask | undefined {
  return tryWithClientLock(taskPath(folder, id), () => applyChange(folder, id, change))?.value;
}

function applyChange(folder: string, id: string, change: Change): ClaudeTask {
  const result = readNativeTask(folder, id);
  if (!result) throw notFoundInList(folder, id);
  if ('problem' in result) throw toError([result.problem]);
  const changed = change(result.task);
  if (!changed) return result.task;
  const checked = ClaudeTask.parse(changed);
  writeNativeTask(folder, checked);
  return checked;
}

export interface NewTask {
  subject: string;
  description: string;
  blockedBy: string[];
  metadata: Record<string, unknown>;
}

/** Creates a task with the next free number, as the client would. It blocks no other task yet. */
export function createNativeTask(folder: string, fields: NewTask): Promise<ClaudeTask> {
  return withListLock(folder, () => {
    sweepLeftovers(folder);
    const id = nextId(folder);
    const task: ClaudeTask = { ...fields, id, status: 'pending', blocks: [] };
    writeNativeTask(folder, task);
    return task;
  });
}

/** Removes a task, but not the references to it. Its number is never used again. */
export async function deleteNativeTask(folder: string, id: string): Promise<void> {
  const number = Number.parseInt(id, 10);
  if (!Number.isNaN(number)) await withListLock(folder, () => raiseHighWatermark(folder, number));
  await withClientLock(taskPath(folder, id), () => rmSync(taskPath(folder, id), { force: true }));
}

/** Takes the lock that the client takes to create a task: the lock of an empty file `.lock`. */
async function withListLock<T>(folder: string, act: () => T): Promise<T> {
  const path = join(folder, '.lock');
  try {
    writeFileSync(path, '', { flag: 'wx' });
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw toWriteError(error, path);
  }
  return withClientLock(path, act);
}

function nextId(folder: string): string {
  const numbers = listTaskIds(folder)
    .map((id) => Number.parseInt(id, 10))
    .filter((number) => !Number.isNaN(number));
  return String(numbers.reduce((a, b) => Math.max(a, b), readHighWatermark(folder)) + 1);
}

function listTaskIds(folder: string): string[] {
  return listFolder(folder, folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));
}

/**
 * Returns the id if the folder lists its file, else throws. So a path is never built from a name that the folder does
 * not list.
 */
export function requireTaskFile(folder: string, id: string): string {
  if (listTaskIds(folder).includes(id)) return id;
  throw notFoundInList(folder, id);
}

function notFoundInList(folder: string, id: string): SagaError {
  const ids = listTaskIds(folder);
  const near = ids.includes(sanitise(id)) ? sanitise(id) : findNearest(id, ids);
  return new SagaError(
    'not-found',
    `The list has no task ${JSON.stringify(id)}.`,
    near === undefined ? 'saga task list shows all.' : `Did you mean ${near}?`,
  );
}
