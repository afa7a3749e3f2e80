import { type GraphNode, orderTopologically } from '@saga-ai/types/plan/graph';

/** Which nodes come before which, directly or through others. */
export interface Reach {
  /** The place of a node in the order; undefined if it is in a circle or unknown. */
  placeOf(id: string): number | undefined;
  /** Whether the node at a place waits for the one at another. */
  isBehind(place: number, other: number): boolean;
  /** Whether `id` waits for `other`. */
  waitsFor(id: string, other: string): boolean;
  /** How many nodes come before a node. */
  countBefore(id: string): number;
}

/** Beyond this the table would take more memory than advice is worth. */
const MOST_NODES = 20_000;

/**
 * Computes the whole order once, as a table of bits, because a plan may have thousands of stories. Nodes in a circle
 * have no order.
 */
export function computeReach(nodes: readonly GraphNode[]): Reach {
  const { ordered } = orderTopologically(nodes.slice(0, MOST_NODES));
  const placeOf = new Map(ordered.map(({ id }, place) => [id, place]));
  const width = Math.ceil(ordered.length / 32);
  const table = new Uint32Array(width * ordered.length);
  for (const [place, { blockedBy }] of ordered.entries()) {
    const row = place * width;
    for (const id of new Set(blockedBy)) {
      const other = placeOf.get(id);
      if (other === undefined || other >= place) continue;
      // A blocker that was reached through another one adds nothing.
      if (((table[row + (other >>> 5)] ?? 0) >>> (other & 31)) & 1) continue;
      for (let i = 0; i < width; i++) {
        const bits = table[other * width + i] ?? 0;
        if (bits !== 0) table[row + i] = (table[row + i] ?? 0) | bits;
      }
      table[row + (other >>> 5)] = (table[row + (other >>> 5)] ?? 0) | (1 << (other & 31));
    }
  }
  const has = (place: number, other: number) =>
    (((table[place * width + (other >>> 5)] ?? 0) >>> (other & 31)) & 1) === 1;
  return {
    placeOf: (id) => placeOf.get(id),
    isBehind: has,
    waitsFor: (id, other) => {
      const [a, b] = [placeOf.get(id), placeOf.get(other)];
      return a !== undefined && b !== undefined && has(a, b);
    },
    countBefore: (id) => {
      const place = placeOf.get(id);
      if (place === undefined) return 0;
      let count = 0;
      for (let i = 0; i < width; i++) count += countBits(table[place * width + i] ?? 0);
      return count;
    },
  };
}

function countBits(word: number): number {
  let count = 0;
  for (let left = word; left !== 0; left &= left - 1) count++;
  return count;
}
