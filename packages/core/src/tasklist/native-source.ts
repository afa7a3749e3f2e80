import { mkdirSync } from 'node:fs';
import { requireNoCycle } from './dependencies.ts';
import {
  addTo,
  changeNativeTask,
  createNativeTask,
  deleteNativeTask,
  removeFrom,
  requireTaskFile,
  tryChangeNativeTask,
  withListLock,
} from './native-edit.ts';
import { readNativeList } from './native-list.ts';
import { type ClaudeHome, requireTaskList, taskListFolder } from './task-list-folder.ts';
import type { TaskSource } from './task-source.ts';

/** A list of Claude Code's own, shared with whatever sessions are at work on it. */
export function openNativeList(home: ClaudeHome, listId: string): TaskSource {
  const folder = () => requireTaskList(home, listId);
  return {
    label: `list ${listId}`,
    load: () => readNativeList(folder()),
    change: (id, change) => changeNativeTask(folder(), id, change),
    tryChange: async (id, change) => tryChangeNativeTask(folder(), id, change),
    async create(task) {
      // The first task makes the list, as it does in the client.
      const path = taskListFolder(home, listId);
      mkdirSync(path, { recursive: true });
      return createNativeTask(path, task);
    },
    remove: (id) => deleteNativeTask(folder(), id),
    async addDependency(id, blockedBy) {
      const path = folder();
      for (const it of [id, blockedBy]) requireTaskFile(path, it);
      // One at a time, or two that are harmless alone could close a circle together.
      await withListLock(path, async () => {
        requireNoCycle(readNativeList(path).tasks, id, blockedBy);
        await addTo(path, id, 'blockedBy', blockedBy);
        await addTo(path, blockedBy, 'blocks', id);
      });
    },
    async removeDependency(id, blockedBy) {
      const path = folder();
      requireTaskFile(path, id);
      await removeFrom(path, id, 'blockedBy', blockedBy);
      // The other one may be gone, which is a good reason to remove the dependency.
      if (readNativeList(path).tasks.some((task) => task.id === blockedBy)) {
        await removeFrom(path, blockedBy, 'blocks', id);
      }
    },
  };
}
