import { isClaimable } from '@saga-ai/core/rules/task-state';
import type { Command } from '../../command.ts';
import { openTasks, TASK_OPTIONS } from './open-tasks.ts';
import { loadViews, printTasks } from './task-view.ts';

export const command: Command = {
  options: TASK_OPTIONS,
  async run(invocation) {
    const { tasks, problems } = loadViews(await openTasks(invocation));
    const ready = tasks.filter((task) => isClaimable(task.state));
    return printTasks(invocation.out, ready, problems, 'Nothing is ready.');
  },
};
