import type { NewTaskIdJson } from '@saga-ai/types/screens/json/task';
import type { Command } from '../../../command.ts';
import { openTasks } from '../open-tasks.ts';
import { CREATE_ARGUMENTS, CREATE_OPTIONS, readNewTask } from './new-task.ts';

export const command: Command<NewTaskIdJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.NewTaskIdJson),
  args: CREATE_ARGUMENTS,
  options: CREATE_OPTIONS,
  async run(invocation) {
    const { id } = await (await openTasks(invocation)).create(readNewTask(invocation));
    if (invocation.out.json) return void invocation.out.value({ id });
    invocation.out.lines([id]);
    return 0;
  },
};
