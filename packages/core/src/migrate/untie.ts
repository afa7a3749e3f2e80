import { findCycles, type GraphNode } from '@saga-ai/types/plan/graph';
import type { Carried } from './carried.ts';

/** Drops circles and references to missing items, which older formats allow, and notes each. */
export function untie<T extends GraphNode>(
  nodes: readonly T[],
  where: string,
  notes: Carried['notes'],
): T[] {
  const known = new Set(nodes.map(({ id }) => id));
  const all = nodes.map((node) => ({
    ...node,
    blockedBy: [...new Set(node.blockedBy)].filter((id) => id !== node.id && known.has(id)),
  }));
  for (let left = all.length; left > 0; left--) {
    const [cycle] = findCycles(all);
    const node = all.find(({ id }) => id === cycle?.[0]);
    if (!cycle || !node) break;
    node.blockedBy = node.blockedBy.filter((id) => !cycle.includes(id));
    notes.push({
      from: where,
      note: `${cycle.join(' → ')} is a circle: ${node.id} no longer waits in it`,
    });
  }
  return all;
}
