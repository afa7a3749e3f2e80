import type { TasksJson } from '@saga-ai/types/screens/json/task';
import { filterByWords, splitWords } from '@saga-ai/types/words/search';
import type { Command } from '../../../command.ts';
import { openTasks, TASK_OPTIONS } from '../open-tasks.ts';
import { loadViews, printTasks } from './task-view.ts';

export const command: Command<TasksJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.TasksJson),
  args: [
    {
      name: 'words',
      help: 'words that a task must contain; typos are forgiven',
      required: true,
      rest: true,
    },
  ],
  options: TASK_OPTIONS,
  async run(invocation) {
    const { tasks, problems } = loadViews(await openTasks(invocation));
    const found = filterByWords(tasks, splitWords(invocation.args.join(' ')), (task) =>
      `${task.id} ${task.subject} ${task.description}`.toLowerCase(),
    );
    return printTasks(invocation.out, found, problems, 'No task found.');
  },
};
