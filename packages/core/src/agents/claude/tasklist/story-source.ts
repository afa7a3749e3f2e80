import { rmSync } from 'node:fs';
import { deriveFreeId } from '@saga-ai/types/plan/ids';
import type { Task } from '@saga-ai/types/plan/task';
import { formatDefinition } from '@saga-ai/types/plan/task-definition';
import { writeFileAtomic } from '../../../files/atomic-write.ts';
import { formatJson } from '../../../files/json-text.ts';
import { loadStory, saveTaskFieldsAt } from '../../../plan/stories.ts';
import { requireIdle, withStoryLock } from '../../../plan/story-lock.ts';
import { type Paths, taskFile } from '../../../project/paths.ts';
import { type ClaudeTask, fromTaskFields, toClaudeTasks } from './claude-task.ts';
import { requireNoCycle } from './dependencies.ts';
import { explainMissing } from './missing-task.ts';
import type { Change } from './native-edit.ts';
import type { TaskSource } from './task-source.ts';

/** A story's own task files, in the live copy. */
export function openStoryTasks(paths: Paths, storyId: string): TaskSource {
  const load = () => {
    const { tasks, problems } = loadStory(paths, storyId);
    return { tasks: toClaudeTasks(tasks).map((it, i) => unfold(it, tasks[i])), problems };
  };
  const find = (id: string) => {
    const loaded = load();
    const task = loaded.tasks.find((it) => it.id === id);
    if (!task) throw explainMissing(id, loaded, `story ${storyId}`);
    return task;
  };
  const change = (id: string, act: Change) =>
    withStoryLock(paths, storyId, (home) => {
      const before = find(id);
      const changed = act(before);
      if (!changed) return before;
      const fields = fromTaskFields(changed);
      const isRedefined = formatDefinition(fromTaskFields(before)) !== formatDefinition(fields);
      if (isRedefined) requireIdle(paths, storyId);
      saveTaskFieldsAt(paths, home, id, fields);
      return find(id);
    });
  return {
    label: `story ${storyId}`,
    load,
    change,
    tryChange: change,
    create: ({ subject, description, blockedBy, metadata }) =>
      withStoryLock(paths, storyId, (home) => {
        requireIdle(paths, storyId);
        const taken = new Set(load().tasks.map((it) => it.id));
        for (const id of blockedBy) find(id);
        const id = deriveFreeId(subject, 'task', (it) => taken.has(it));
        const fields = fromTaskFields({ metadata });
        const task = { id, subject, description, status: 'pending', blockedBy, ...fields };
        writeFileAtomic(taskFile(home, id), formatJson(task));
        return find(id);
      }),
    remove: (id) =>
      withStoryLock(paths, storyId, (home) => {
        requireIdle(paths, storyId);
        find(id);
        for (const other of load().tasks.filter((it) => it.blockedBy.includes(id))) {
          const blockedBy = other.blockedBy.filter((it) => it !== id);
          saveTaskFieldsAt(paths, home, other.id, { blockedBy });
        }
        rmSync(taskFile(home, id));
      }),
    async addDependency(id, blockedBy) {
      find(blockedBy);
      await change(id, (task) => {
        requireNoCycle(load().tasks, id, blockedBy);
        if (task.blockedBy.includes(blockedBy)) return undefined;
        return { ...task, blockedBy: [...task.blockedBy, blockedBy] };
      });
    },
    async removeDependency(id, blockedBy) {
      await change(id, (task) => ({
        ...task,
        blockedBy: task.blockedBy.filter((it) => it !== blockedBy),
      }));
    },
  };
}

/** Restores the story's own description: guidance and doneWhen have fields of their own here. */
function unfold(native: ClaudeTask, task: Task | undefined): ClaudeTask {
  const { owner, metadata } = (task ?? {}) as { owner?: unknown; metadata?: object };
  return {
    ...native,
    description: task?.description ?? native.description,
    ...(typeof owner === 'string' ? { owner } : {}),
    metadata: { ...metadata, ...native.metadata },
  };
}
