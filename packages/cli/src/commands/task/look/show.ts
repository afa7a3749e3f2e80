import { completedOf } from '@saga-ai/core/agents/claude/tasklist/claim';
import type { TaskJson, TaskView } from '@saga-ai/types/screens/json/task';
import type { Command } from '../../../command.ts';
import type { Output } from '../../../output/output.ts';
import { formatRows } from '../../../output/rows.ts';
import { cleanLine, wrap } from '../../../output/text.ts';
import { openTasks, TASK_ARGUMENT, TASK_OPTIONS } from '../open-tasks.ts';
import { requireTask, toRow, viewTask } from './task-view.ts';

export const command: Command<TaskJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.TaskJson),
  args: [TASK_ARGUMENT],
  options: TASK_OPTIONS,
  async run(invocation) {
    const [id = ''] = invocation.args;
    const source = await openTasks(invocation);
    const loaded = source.load();
    const task = requireTask(loaded, id, source.label);
    return showTask(invocation.out, viewTask(task, completedOf(loaded.tasks)));
  },
};

export function showTask(out: Output<TaskJson>, task: TaskView): undefined {
  if (out.json) return void out.value({ task });
  const width = Math.min(out.width, 100) - 2;
  const facts = [
    task.state.replace('_', ' '),
    task.owner ? `owner ${task.owner}` : '',
    task.blockedBy.length > 0 ? `blocked by ${task.blockedBy.join(', ')}` : '',
    task.blocks.length > 0 ? `blocks ${task.blocks.join(', ')}` : '',
    task.labels.length > 0 ? task.labels.join(', ') : '',
  ].filter(Boolean);
  out.lines([
    ...formatRows([toRow(task)], out),
    `  ${cleanLine(facts.join(' · '))}`,
    '',
    ...wrap(task.description, width).map((line) => `  ${line}`.trimEnd()),
  ]);
}
