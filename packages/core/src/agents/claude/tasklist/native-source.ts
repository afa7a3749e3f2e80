import type { AgentHome } from '../../agent.ts';
import { correctBlocks, findMismatches } from './blocks.ts';
import {
  addDependency,
  createDependentTask,
  deleteTask,
  removeDependency,
} from './native-dependencies.ts';
import { changeNativeTask, createNativeTask, tryChangeNativeTask } from './native-edit.ts';
import { type NativeList, readNativeList } from './native-list.ts';
import { ensureTaskList, requireTaskList } from './task-list-folder.ts';
import type { TaskSource } from './task-source.ts';

/** Opens a native list of Claude Code, which Claude Code sessions may be using at the same time. */
export function openNativeList(home: AgentHome, listId: string): TaskSource {
  const folder = () => requireTaskList(home, listId);
  return {
    label: `list ${listId}`,
    load: () => withRightBlocks(readNativeList(folder())),
    change: (id, change) => changeNativeTask(folder(), id, change),
    tryChange: async (id, change) => tryChangeNativeTask(folder(), id, change),
    async create(task) {
      // The first task creates the list, as in the client.
      const path = ensureTaskList(home, listId);
      const create = task.blockedBy.length > 0 ? createDependentTask : createNativeTask;
      return create(path, task);
    },
    remove: async (id) => deleteTask(folder(), id),
    addDependency: async (id, blockedBy) => addDependency(folder(), id, blockedBy),
    removeDependency: async (id, blockedBy) => removeDependency(folder(), id, blockedBy),
  };
}

function withRightBlocks(list: NativeList): NativeList {
  const mismatches = new Map(findMismatches(list).map((it) => [it.id, it]));
  if (mismatches.size === 0) return list;
  const tasks = list.tasks.map((task) => {
    const mismatch = mismatches.get(task.id);
    return mismatch ? { ...task, blocks: correctBlocks(task.blocks, mismatch) } : task;
  });
  return { ...list, tasks };
}
