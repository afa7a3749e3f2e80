import { claimTask, completedOf } from '@saga-ai/core/agents/claude/tasklist/claim';
import type { TaskJson } from '@saga-ai/types/screens/json/task';
import type { Command } from '../../../command.ts';
import { showTask } from '../look/show.ts';
import { viewTask } from '../look/task-view.ts';
import { openTasks, TASK_ARGUMENT, TASK_OPTIONS } from '../open-tasks.ts';
import { CLAIM_OPTIONS, readClaimant } from './claimant.ts';

export const command: Command<TaskJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.TaskJson),
  args: [TASK_ARGUMENT],
  options: {
    ...TASK_OPTIONS,
    ...CLAIM_OPTIONS,
    steal: { type: 'boolean', help: 'take the task over if its process is gone' },
  },
  async run(invocation) {
    const { out, args, flag } = invocation;
    const source = await openTasks(invocation);
    const options = { steal: flag('steal') };
    const task = await claimTask(source, args[0] ?? '', readClaimant(invocation), options);
    return showTask(out, viewTask(task, completedOf(source.load().tasks)));
  },
};
