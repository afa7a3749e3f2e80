import type { TasksJson } from '@saga-ai/types/screens/json/task';
import type { Command } from '../../../command.ts';
import { openTasks, TASK_OPTIONS } from '../open-tasks.ts';
import { loadViews, printTasks } from './task-view.ts';

export const command: Command<TasksJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.TasksJson),
  args: [{ name: 'words', help: 'all of them, anywhere in a task', required: true, rest: true }],
  options: TASK_OPTIONS,
  async run(invocation) {
    const words = invocation.args.join(' ').toLowerCase().split(/\s+/);
    const { tasks, problems } = loadViews(await openTasks(invocation));
    const found = tasks.filter((task) => {
      const text = `${task.id} ${task.subject} ${task.description}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return printTasks(invocation.out, found, problems, 'Nothing found.');
  },
};
