import { join } from 'node:path';
import { SagaError } from '../../../errors.ts';
import type { ClaudeTask } from './claude-task.ts';
import { withClientLock } from './client-lock.ts';
import { requireNoCycle } from './dependencies.ts';
import { mendMirror } from './mirror.ts';
import {
  changeNativeTask,
  createNativeTask,
  deleteNativeTask,
  type NewTask,
  requireTaskFile,
} from './native-edit.ts';
import { readNativeList } from './native-list.ts';

/** Creates a task that waits for others. */
export function createDependentTask(folder: string, fields: NewTask): Promise<ClaudeTask> {
  return withDependencies(folder, async () => {
    for (const id of fields.blockedBy) requireTaskFile(folder, id);
    const task = await createNativeTask(folder, fields);
    for (const id of fields.blockedBy) await addTo(folder, id, 'blocks', task.id);
    return task;
  });
}

/**
 * Removes a task and every reference to it. The task goes last: killed before that, nobody waits
 * for something that is not there, and the same command can be given again.
 */
export function deleteTask(folder: string, id: string): Promise<void> {
  return withDependencies(folder, async () => {
    requireTaskFile(folder, id);
    for (const { id: other, blocks, blockedBy } of readNativeList(folder).tasks) {
      if (other === id) continue;
      if (blockedBy.includes(id)) await removeFrom(folder, other, 'blockedBy', id);
      if (blocks.includes(id)) await removeFrom(folder, other, 'blocks', id);
    }
    await deleteNativeTask(folder, id);
  });
}

export function addDependency(folder: string, id: string, blockedBy: string): Promise<void> {
  return withDependencies(folder, async () => {
    for (const it of [id, blockedBy]) requireTaskFile(folder, it);
    requireNoCycle(readNativeList(folder).tasks, id, blockedBy);
    await addTo(folder, id, 'blockedBy', blockedBy);
    await addTo(folder, blockedBy, 'blocks', id);
  });
}

export function removeDependency(folder: string, id: string, blockedBy: string): Promise<void> {
  return withDependencies(folder, async () => {
    requireTaskFile(folder, id);
    await removeFrom(folder, id, 'blockedBy', blockedBy);
    // The other one may be gone, which is a good reason to remove the dependency.
    const { tasks } = readNativeList(folder);
    if (tasks.some((task) => task.id === blockedBy)) {
      await removeFrom(folder, blockedBy, 'blocks', id);
    }
  });
}

/**
 * One at a time, or two dependencies that are harmless alone could close a circle together. It is
 * a lock of our own: the client's lock of the list would keep a session from creating tasks for as
 * long as we wait for a task that somebody holds.
 */
function withDependencies<T>(folder: string, act: () => Promise<T>): Promise<T> {
  return withClientLock(join(folder, '.dependencies'), async () => {
    const result = await act();
    mendMirror(folder);
    return result;
  });
}

type Side = 'blocks' | 'blockedBy';

async function addTo(folder: string, id: string, side: Side, other: string): Promise<void> {
  await changeNativeTask(folder, id, (task) =>
    task[side].includes(other) ? undefined : { ...task, [side]: [...task[side], other] },
  );
}

async function removeFrom(folder: string, id: string, side: Side, other: string): Promise<void> {
  try {
    await changeNativeTask(folder, id, (task) =>
      task[side].includes(other)
        ? { ...task, [side]: task[side].filter((it) => it !== other) }
        : undefined,
    );
  } catch (error) {
    // Deleted meanwhile, and its references with it.
    if (!(error instanceof SagaError && error.code === 'not-found')) throw error;
  }
}
