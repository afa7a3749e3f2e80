import { completedOf, releaseTask } from '@saga-ai/core/agents/claude/tasklist/claim';
import type { TaskJson } from '@saga-ai/types/screens/json/task';
import type { Command } from '../../../command.ts';
import { printTask, viewTask } from '../look/task-view.ts';
import { openTasks, TASK_ARGUMENT, TASK_OPTIONS } from '../open-tasks.ts';

export const command: Command<TaskJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.TaskJson),
  args: [TASK_ARGUMENT],
  options: TASK_OPTIONS,
  async run(invocation) {
    const source = await openTasks(invocation);
    const task = await releaseTask(source, invocation.args[0] ?? '');
    return printTask(invocation.out, viewTask(task, completedOf(source.load().tasks)));
  },
};
