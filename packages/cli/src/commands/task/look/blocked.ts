import type { TasksJson } from '@saga-ai/types/screens/json/task';
import type { Command } from '../../../command.ts';
import { openTasks, TASK_OPTIONS } from '../open-tasks.ts';
import { loadViews, printTasks } from './task-view.ts';

export const command: Command<TasksJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.TasksJson),
  options: TASK_OPTIONS,
  async run(invocation) {
    const source = await openTasks(invocation);
    const { tasks, problems } = loadViews(source, (state) => state === 'blocked');
    return printTasks(invocation.out, tasks, problems, 'No task is blocked.');
  },
};
