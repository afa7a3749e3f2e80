import type { DeletedTaskJson } from '@saga-ai/types/screens/json/task';
import type { Command } from '../../../command.ts';
import { openTasks, TASK_ARGUMENT, TASK_OPTIONS } from '../open-tasks.ts';

export const command: Command<DeletedTaskJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.DeletedTaskJson),
  args: [TASK_ARGUMENT],
  options: TASK_OPTIONS,
  async run(invocation) {
    const { out, args } = invocation;
    const [id = ''] = args;
    await (await openTasks(invocation)).remove(id);
    if (out.json) return void out.value({ deleted: id });
    out.lines([`${out.paint('done', '✓')} deleted ${id}`]);
    return 0;
  },
};
