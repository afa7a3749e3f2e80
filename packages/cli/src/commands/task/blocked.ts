import type { Command } from '../../command.ts';
import { openTasks, TASK_OPTIONS } from './open-tasks.ts';
import { loadViews, printTasks } from './task-view.ts';

export const command: Command = {
  options: TASK_OPTIONS,
  async run(invocation) {
    const { tasks, problems } = loadViews(await openTasks(invocation));
    const blocked = tasks.filter((task) => task.state === 'blocked');
    return printTasks(invocation.out, blocked, problems, 'Nothing is blocked.');
  },
};
