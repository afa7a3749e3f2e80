import { findUnmet, orderTopologically } from '@saga-ai/types/plan/graph';
import type { Task } from '@saga-ai/types/plan/task';
import { type State, stateOfTask } from '@saga-ai/types/screens/story-state';
import type { Cell } from './rows.ts';

/** Returns each task of a story with the tasks it still waits for and its state. */
export function viewTasks(tasks: readonly Task[]): { task: Task; unmet: string[]; state: State }[] {
  const completed = new Set(tasks.filter((it) => it.status === 'completed').map((it) => it.id));
  return tasks.map((task) => {
    const unmet = task.status === 'pending' ? findUnmet(task, completed) : [];
    const state = stateOfTask(task, { isRunning: false, isWaiting: unmet.length > 0 });
    return { task, unmet, state };
  });
}

/** Returns tasks in the order in which they can be worked on. Tasks that block each other come last. */
export function orderTasks(tasks: readonly Task[]): Task[] {
  const { ordered, unordered } = orderTopologically(tasks);
  return [...ordered, ...unordered];
}

/** Returns tasks in the order in which they can be worked on, each with what it waits for. */
export function toTaskRows(tasks: readonly Task[]): Cell[][] {
  return viewTasks(orderTasks(tasks)).map(({ task, unmet, state: { glyph, tone } }) => [
    { text: glyph, tone },
    { text: task.id },
    { text: task.subject, flexible: true },
    { text: unmet.length > 0 ? `waits for ${unmet.join(', ')}` : '', tone, flexible: true },
  ]);
}
