import type { TaskJson } from '@saga-ai/types/screens/json/task';
import type { Command } from '../../../command.ts';
import { TASK_ARGUMENT, TASK_OPTIONS } from '../open-tasks.ts';
import { setStatus } from './set-status.ts';

export const command: Command<TaskJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.TaskJson),
  args: [TASK_ARGUMENT],
  options: TASK_OPTIONS,
  run: (invocation) => setStatus(invocation, 'pending'),
};
