import { join } from 'node:path';
import { SagaError } from '../../../errors.ts';
import { mendBlocks } from './blocks.ts';
import type { ClaudeTask } from './claude-task.ts';
import { withClientLock } from './client-lock.ts';
import { requireNoCycle } from './dependencies.ts';
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
 * Removes a task and every reference to it. The task goes last: if the process is killed before that,
 * no task waits for a missing one, and the command can be repeated.
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
    // The other task may be deleted already. The dependency on it can be removed all the same.
    const { tasks } = readNativeList(folder);
    if (tasks.some((task) => task.id === blockedBy)) {
      await removeFrom(folder, blockedBy, 'blocks', id);
    }
  });
}

/**
 * Allows one change of dependencies at a time: two changes that are harmless alone could close a circle
 * together. Uses SAGA's own lock: the client's lock of the list would keep a session from creating
 * tasks while this process waits for the lock of a task.
 */
function withDependencies<T>(folder: string, act: () => Promise<T>): Promise<T> {
  return withClientLock(join(folder, '.dependencies'), async () => {
    const result = await act();
    mendBlocks(folder);
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
    // The task was deleted meanwhile, together with its references.
    if (!(error instanceof SagaError && error.code === 'not-found')) throw error;
  }
}
