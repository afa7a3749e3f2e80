interface Ordered {
  id: string;
  blockedBy: string[];
}

/**
 * Moves an item one place up or down. The order of tasks follows from their dependencies, so these change,
 * too. If one of two neighbours waits for the other, they swap their places in the graph. If neither waits, the
 * one that now comes later waits for the one before it.
 */
export function moveItem<T extends Ordered>(items: readonly T[], id: string, step: 1 | -1): T[] {
  const at = items.findIndex((it) => it.id === id);
  const [upper, lower] = step === 1 ? [items[at], items[at + 1]] : [items[at - 1], items[at]];
  if (at === -1 || !upper || !lower) return [...items];
  const changed = lower.blockedBy.includes(upper.id)
    ? swapPlaces(items, upper.id, lower.id)
    : items.map((it) =>
        it.id === upper.id ? { ...it, blockedBy: [...it.blockedBy, lower.id] } : it,
      );
  const first = Math.min(at, at + step);
  const [a, b] = [changed[first], changed[first + 1]];
  if (!a || !b) return [...items];
  return [...changed.slice(0, first), b, a, ...changed.slice(first + 2)];
}

/** Swaps two items in the graph: each gets the blockers and the dependents of the other. */
function swapPlaces<T extends Ordered>(items: readonly T[], a: string, b: string): T[] {
  const swap = (id: string) => (id === a ? b : id === b ? a : id);
  const placeOf = new Map(items.map((it) => [it.id, it.blockedBy]));
  return items.map((it) => ({ ...it, blockedBy: (placeOf.get(swap(it.id)) ?? []).map(swap) }));
}
