import type { TasksJson } from '@saga-ai/types/screens/json/task';
import { TASK_STATES } from '@saga-ai/types/screens/story-state';
import type { Command } from '../../../command.ts';
import { openTasks, TASK_OPTIONS } from '../open-tasks.ts';
import { loadViews, printTasks } from './task-view.ts';

export const command: Command<TasksJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.TasksJson),
  options: {
    ...TASK_OPTIONS,
    state: { type: 'text', choices: TASK_STATES, help: 'only tasks in this state' },
    label: { type: 'text', value: 'LABEL', help: 'only tasks with this label' },
    owner: { type: 'text', value: 'NAME', help: 'only tasks of this owner' },
  },
  async run(invocation) {
    const { out, text } = invocation;
    const { tasks, problems } = loadViews(await openTasks(invocation));
    const shown = tasks.filter(
      (task) =>
        (text('state') === undefined || task.state === text('state')) &&
        (text('label') === undefined || task.labels.includes(text('label') ?? '')) &&
        (text('owner') === undefined || task.owner === text('owner')),
    );
    return printTasks(out, shown, problems, 'No tasks.');
  },
};
