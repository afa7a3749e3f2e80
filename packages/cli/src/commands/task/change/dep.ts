import { SagaError } from '@saga-ai/core/errors';
import type { DependencyJson } from '@saga-ai/types/screens/json/task';
import type { Command } from '../../../command.ts';
import { openTasks, TASK_OPTIONS } from '../open-tasks.ts';

export const command: Command<DependencyJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.DependencyJson),
  args: [
    { name: 'add|rm', help: 'add or remove', required: true, complete: ['add', 'rm'] },
    { name: 'id', help: 'the task that waits', required: true },
    { name: 'blocked-by', help: 'the task it waits for', required: true },
  ],
  options: TASK_OPTIONS,
  examples: ['saga task dep add docs endpoints'],
  async run(invocation) {
    const { out, args } = invocation;
    const [act, id = '', blockedBy = ''] = args;
    const source = await openTasks(invocation);
    if (act === 'add') await source.addDependency(id, blockedBy);
    else if (act === 'rm') await source.removeDependency(id, blockedBy);
    else
      throw new SagaError(
        'usage',
        `saga task dep does not take ${JSON.stringify(act)}.`,
        'Write add or rm: saga task dep add <id> <blocked-by>',
      );
    if (out.json) return void out.value({ id, blockedBy, act });
    const words = act === 'add' ? 'now waits for' : 'no longer waits for';
    out.lines([`${out.paint('done', '✓')} ${id} ${words} ${blockedBy}`]);
    return 0;
  },
};
