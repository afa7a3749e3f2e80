import { completedOf } from '@saga-ai/core/agents/claude/tasklist/claim';
import type { TaskStatus } from '@saga-ai/types/plan/task';
import type { Invocation } from '../../../command.ts';
import { printTask, viewTask } from '../look/task-view.ts';
import { openTasks } from '../open-tasks.ts';

const FORGOTTEN = { attempt_count: undefined, last_outcome: undefined, escalated: undefined };

/** A task that is over or open again belongs to nobody. */
export async function setStatus(invocation: Invocation, status: TaskStatus): Promise<undefined> {
  const source = await openTasks(invocation);
  const task = await source.change(invocation.args[0] ?? '', ({ owner: _, ...rest }) => {
    const { claim: __, ...metadata } = rest.metadata ?? {};
    // Opened again by a person, it gets all its attempts again.
    const history = status === 'pending' ? FORGOTTEN : {};
    return { ...rest, status, metadata: { ...metadata, ...history } };
  });
  return printTask(invocation.out, viewTask(task, completedOf(source.load().tasks)));
}
