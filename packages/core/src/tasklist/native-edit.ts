import { readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClaudeTask } from '@saga-ai/types/claude-task';
import { findNearest } from '@saga-ai/types/nearest';
import { errorCodeOf, SagaError, toWriteError } from '../errors.ts';
import { toError } from '../store/json-file.ts';
import { listFolder } from '../store/list-folder.ts';
import { tryWithClientLock, withClientLock } from './client-lock.ts';
import { readNativeTask } from './native-list.ts';
import { sanitise } from './task-list-folder.ts';

/** Returns the task as it shall be, or nothing to leave it as it is. */
export type Change = (task: ClaudeTask) => ClaudeTask | undefined;

/** Changes one task under the client's lock; returns it as it then is. */
export async function changeNativeTask(
  folder: string,
  id: string,
  change: Change,
): Promise<ClaudeTask> {
  requireTaskFile(folder, id);
  return withClientLock(taskPath(folder, id), () => applyChange(folder, id, change));
}

/** The same if nobody holds the lock just now; nothing otherwise. */
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

/** By rename, which no reader can catch half done; the client opens the path anew each time. */
export function writeNativeTask(folder: string, task: ClaudeTask): void {
  const path = taskPath(folder, task.id);
  const temp = join(folder, `.${task.id}.${process.pid}.tmp`);
  try {
    writeFileSync(temp, JSON.stringify(task, null, 2));
    renameSync(temp, path);
  } catch (error) {
    rmSync(temp, { force: true });
    throw toWriteError(error, path);
  }
}

export interface NewTask {
  subject: string;
  description: string;
  blockedBy: string[];
  metadata: Record<string, unknown>;
}

/** Creates a task under the next free number, as the client would. */
export async function createNativeTask(folder: string, fields: NewTask): Promise<ClaudeTask> {
  const blockedBy = fields.blockedBy.map((id) => requireTaskFile(folder, id));
  const task = await withListLock(folder, () => {
    const id = nextId(folder);
    const created: ClaudeTask = { ...fields, id, status: 'pending', blocks: [], blockedBy };
    writeNativeTask(folder, created);
    return created;
  });
  for (const id of blockedBy) await addTo(folder, id, 'blocks', task.id);
  return task;
}

/** Removes a task and every reference to it. The number is never given again. */
export async function deleteNativeTask(folder: string, id: string): Promise<void> {
  requireTaskFile(folder, id);
  await withListLock(folder, () => {
    const number = Number.parseInt(id, 10);
    if (!Number.isNaN(number) && number > readHighWatermark(folder)) {
      writeFileSync(join(folder, HIGH_WATERMARK), String(number));
    }
  });
  await withClientLock(taskPath(folder, id), () => unlinkSync(taskPath(folder, id)));
  for (const other of listTaskIds(folder)) {
    const result = readNativeTask(folder, other);
    if (!result || 'problem' in result) continue;
    const { blocks, blockedBy } = result.task;
    if (blocks.includes(id)) await removeFrom(folder, other, 'blocks', id);
    if (blockedBy.includes(id)) await removeFrom(folder, other, 'blockedBy', id);
  }
}

type Side = 'blocks' | 'blockedBy';

export function addTo(folder: string, id: string, side: Side, other: string): Promise<ClaudeTask> {
  return changeNativeTask(folder, id, (task) =>
    task[side].includes(other) ? undefined : { ...task, [side]: [...task[side], other] },
  );
}

export function removeFrom(folder: string, id: string, side: Side, other: string) {
  return changeNativeTask(folder, id, (task) =>
    task[side].includes(other)
      ? { ...task, [side]: task[side].filter((it) => it !== other) }
      : undefined,
  );
}

const HIGH_WATERMARK = '.highwatermark';

/** The lock the client takes to create: an empty file `.lock`, and the lock of that. */
export async function withListLock<T>(folder: string, act: () => T | Promise<T>): Promise<T> {
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

function readHighWatermark(folder: string): number {
  try {
    return Number.parseInt(readFileSync(join(folder, HIGH_WATERMARK), 'utf8'), 10) || 0;
  } catch {
    // The client writes it at the first delete; until then it counts as zero.
    return 0;
  }
}

export function listTaskIds(folder: string): string[] {
  return listFolder(folder, folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));
}

/** The id of a task that is there; a path is only ever built from a name the folder lists. */
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

function taskPath(folder: string, id: string): string {
  return join(folder, `${id}.json`);
}
