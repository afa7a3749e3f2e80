import { findUnmet, orderTopologically } from '@saga-ai/types/plan/graph';
import type { Task } from '@saga-ai/types/plan/task';
import { type State, stateOfTask } from '@saga-ai/types/screens/story-state';
import type { Cell } from './rows.ts';

/** The tasks of a story, each with what it still waits for and how it looks. */
export function viewTasks(tasks: readonly Task[]): { task: Task; unmet: string[]; state: State }[] {
  const completed = new Set(tasks.filter((it) => it.status === 'completed').map((it) => it.id));
  return tasks.map((task) => {
    const unmet = task.status === 'pending' ? findUnmet(task, completed) : [];
    const state = stateOfTask(task, { isRunning: false, isWaiting: unmet.length > 0 });
    return { task, unmet, state };
  });
}

/** Tasks in the order they can be worked, each with what it waits for. */
export function toTaskRows(tasks: readonly Task[]): Cell[][] {
  const { ordered, unordered } = orderTopologically(tasks);
  return viewTasks([...ordered, ...unordered]).map(({ task, unmet, state: { glyph, tone } }) => [
    { text: glyph, tone },
    { text: task.id },
    { text: task.subject, flexible: true },
    { text: unmet.length > 0 ? `waits for ${unmet.join(', ')}` : '', tone, flexible: true },
  ]);
}
