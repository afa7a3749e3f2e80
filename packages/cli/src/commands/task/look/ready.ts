import { isClaimable } from '@saga-ai/core/agents/claude/tasklist/task-state';
import type { TasksJson } from '@saga-ai/types/screens/json/task';
import type { Command } from '../../../command.ts';
import { openTasks, TASK_OPTIONS } from '../open-tasks.ts';
import { loadViews, printTasks } from './task-view.ts';

export const command: Command<TasksJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.TasksJson),
  options: TASK_OPTIONS,
  async run(invocation) {
    const { tasks, problems } = loadViews(await openTasks(invocation), isClaimable);
    return printTasks(invocation.out, tasks, problems, 'No task is ready.');
  },
};
