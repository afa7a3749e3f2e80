import { findUnmet, orderTopologically } from '@saga-ai/types/plan/graph';
import type { Task } from '@saga-ai/types/plan/task';
import type { Cell } from './rows.ts';
import { stateOfTask } from './state.ts';

/** Tasks in the order they can be worked, each with what it waits for. */
export function toTaskRows(tasks: readonly Task[]): Cell[][] {
  const completed = new Set(tasks.filter((it) => it.status === 'completed').map((it) => it.id));
  const { ordered, unordered } = orderTopologically(tasks);
  return [...ordered, ...unordered].map((task) => {
    const unmet = task.status === 'pending' ? findUnmet(task, completed) : [];
    const { glyph, tone } = stateOfTask(task.status, unmet.length > 0);
    return [
      { text: glyph, tone },
      { text: task.id },
      { text: task.subject, flexible: true },
      { text: unmet.length > 0 ? `waits for ${unmet.join(', ')}` : '', tone, flexible: true },
    ];
  });
}
