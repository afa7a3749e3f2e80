import { completedOf } from '@saga-ai/core/agents/claude/tasklist/claim';
import type { TaskJson } from '@saga-ai/types/screens/json/task';
import type { Command } from '../../../command.ts';
import { printTask, viewTask } from '../look/task-view.ts';
import { openTasks, TASK_ARGUMENT, TASK_OPTIONS } from '../open-tasks.ts';

export const command: Command<TaskJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.TaskJson),
  args: [TASK_ARGUMENT, { name: 'label', help: 'one or more labels', required: true, rest: true }],
  options: { ...TASK_OPTIONS, remove: { type: 'boolean', help: 'remove the labels instead' } },
  async run(invocation) {
    const { out, args, flag } = invocation;
    const [id = '', ...given] = args;
    const source = await openTasks(invocation);
    const task = await source.change(id, (current) => {
      const known = current.metadata?.labels;
      const before = Array.isArray(known) ? known.map(String) : [];
      const labels = flag('remove')
        ? before.filter((label) => !given.includes(label))
        : [...new Set([...before, ...given])];
      return { ...current, metadata: { ...current.metadata, labels } };
    });
    return printTask(out, viewTask(task, completedOf(source.load().tasks)));
  },
};
