import type { TaskStatusJson, TaskView } from '@saga-ai/types/screens/json/task';
import { LIST_TASK_STATES, TASK_STATES, type TaskState } from '@saga-ai/types/screens/story-state';
import type { Command } from '../../../command.ts';
import { formatRows } from '../../../output/rows.ts';
import { formatBar, formatProgress } from '../../../output/state.ts';
import { openTasks, TASK_OPTIONS } from '../open-tasks.ts';
import { loadViews, toRow } from './task-view.ts';

export const command: Command<TaskStatusJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.TaskStatusJson),
  options: TASK_OPTIONS,
  async run(invocation) {
    const { out } = invocation;
    const source = await openTasks(invocation);
    const { tasks, problems } = loadViews(source);
    const counts = countStates(tasks);
    const progress = { completed: counts.done, total: tasks.length };
    if (out.json) return void out.value({ label: source.label, progress, counts, problems });
    out.problems(problems);
    const parts = TASK_STATES.filter((state) => counts[state]).map((state) =>
      out.paint(LIST_TASK_STATES[state].tone, `${counts[state]} ${state.replace('_', ' ')}`),
    );
    const attention = tasks.filter((task) => task.state === 'in_progress' || task.abandoned);
    out.lines([
      `${source.label}  ${out.paint('done', formatBar(progress))}  ${formatProgress(progress)}`,
      ...(parts.length > 0 ? [`  ${parts.join(', ')}`] : []),
      ...formatRows(attention.map(toRow), { ...out, indent: '  ' }),
    ]);
    return 0;
  },
};

function countStates(tasks: readonly TaskView[]): Record<TaskState, number> {
  const counts = { ready: 0, in_progress: 0, done: 0, blocked: 0, failed: 0, escalated: 0 };
  for (const { state } of tasks) counts[state]++;
  return counts;
}
