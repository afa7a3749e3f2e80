import { findCycles, type GraphNode } from '@saga-ai/types/plan/graph';
import { SagaError } from '../../../errors.ts';

/** Throws if a dependency would close a circle; the error names the circle. */
export function requireNoCycle(tasks: readonly GraphNode[], id: string, blockedBy: string): void {
  if (id === blockedBy) {
    throw new SagaError('self-block', `Task ${id} cannot wait for itself.`, 'Name another task.');
  }
  const nodes = tasks.map((task) =>
    task.id === id ? { id, blockedBy: [...task.blockedBy, blockedBy] } : task,
  );
  const cycle = findCycles(nodes).find((it) => it.includes(id) && it.includes(blockedBy));
  if (!cycle) return;
  throw new SagaError(
    'cycle',
    `${id} cannot wait for ${blockedBy}: that would close a circle, ${cycle.join(' → ')}.`,
    'Remove one of these dependencies first: saga task dep rm',
  );
}
