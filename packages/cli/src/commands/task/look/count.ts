import type { TaskCountJson } from '@saga-ai/types/screens/json/task';
import { TASK_STATES } from '@saga-ai/types/screens/story-state';
import type { Command } from '../../../command.ts';
import { openTasks, TASK_OPTIONS } from '../open-tasks.ts';
import { loadViews } from './task-view.ts';

export const command: Command<TaskCountJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.TaskCountJson),
  options: {
    ...TASK_OPTIONS,
    state: { type: 'text', choices: TASK_STATES, help: 'only tasks in this state' },
  },
  about: 'Prints one number, for scripts.',
  async run(invocation) {
    const { out, text } = invocation;
    const { tasks, problems } = loadViews(await openTasks(invocation));
    const state = text('state');
    const count = tasks.filter((task) => state === undefined || task.state === state).length;
    if (out.json) return void out.value({ count, problems });
    out.problems(problems);
    out.lines([String(count)]);
    return 0;
  },
};
