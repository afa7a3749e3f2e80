import { findGraphFaults } from '@saga-ai/types/plan/graph';
import { ID_RULE, isId } from '@saga-ai/types/plan/ids';
import type { Slip } from './read-body.ts';

/** Reports ids that break the rule, and ids that were given before. */
export function checkIds(items: readonly { id: string; line: number }[], slips: Slip[]): void {
  const seen = new Map<string, number>();
  for (const { id, line } of items) {
    const before = seen.get(id);
    if (!isId(id)) {
      slips.push({
        line,
        message: `${JSON.stringify(id)} is not an id`,
        hint: `An id: ${ID_RULE}.`,
      });
    } else if (before !== undefined) {
      const hint = 'Choose another id. It stands behind the title: {#another-id}';
      slips.push({ line, message: `the id ${id} was given on line ${before}`, hint });
    }
    seen.set(id, before ?? line);
  }
}

/** Reports items that wait for themselves, and circles. */
export function checkOrder(
  items: readonly Record<string, unknown>[],
  lineAt: (index: number) => number,
  what: string,
  slips: Slip[],
): void {
  const nodes = items.map(({ id, blockedBy }) => ({
    id: String(id),
    blockedBy: Array.isArray(blockedBy) ? blockedBy.map(String) : [],
  }));
  const { selfBlocked, cycles } = findGraphFaults(nodes);
  const lineOf = (id: string | undefined) => lineAt(nodes.findIndex((node) => node.id === id));
  for (const id of selfBlocked) {
    slips.push({
      line: lineOf(id),
      message: `${what === 'tasks' ? 'task' : 'story'} ${id} waits for itself`,
      hint: 'Remove it from after:',
    });
  }
  for (const cycle of cycles) {
    const message = `${what} wait for each other in a circle: ${cycle.join(' → ')}`;
    slips.push({ line: lineOf(cycle[0]), message, hint: 'Remove one of these from an after:' });
  }
}
