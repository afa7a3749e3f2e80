import { completedOf } from '@saga-ai/core/agents/claude/tasklist/claim';
import { changeStatus } from '@saga-ai/core/agents/claude/tasklist/task-state';
import type { TaskStatus } from '@saga-ai/types/plan/task';
import type { TaskJson } from '@saga-ai/types/screens/json/task';
import type { Invocation } from '../../../command.ts';
import { printTask, viewTask } from '../look/task-view.ts';
import { openTasks } from '../open-tasks.ts';

export async function setStatus(
  invocation: Invocation<TaskJson>,
  status: TaskStatus,
): Promise<undefined> {
  const source = await openTasks(invocation);
  const task = await source.change(invocation.args[0] ?? '', (it) => changeStatus(it, status));
  return printTask(invocation.out, viewTask(task, completedOf(source.load().tasks)));
}
