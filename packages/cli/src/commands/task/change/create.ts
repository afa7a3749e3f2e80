import { completedOf } from '@saga-ai/core/agents/claude/tasklist/claim';
import type { TaskJson } from '@saga-ai/types/screens/json/task';
import type { Command } from '../../../command.ts';
import { printTask, viewTask } from '../look/task-view.ts';
import { openTasks } from '../open-tasks.ts';
import { CREATE_ARGUMENTS, CREATE_OPTIONS, readNewTask } from './new-task.ts';

export const command: Command<TaskJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.TaskJson),
  args: CREATE_ARGUMENTS,
  options: CREATE_OPTIONS,
  examples: ['saga task create "Write the docs" --blocked-by 3 --label docs'],
  async run(invocation) {
    const source = await openTasks(invocation);
    const task = await source.create(readNewTask(invocation));
    return printTask(invocation.out, viewTask(task, completedOf(source.load().tasks)));
  },
};
