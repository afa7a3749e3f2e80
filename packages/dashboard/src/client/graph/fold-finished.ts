import { orderTopologically } from '@saga-ai/types/plan/graph';
import { STATES } from '@saga-ai/types/screens/story-state';
import type { GraphItem } from './graph-item.ts';

/**
 * The fewest items of a graph that is folded, and the fewest items that are folded. A small graph is read at once, and
 * folding a few nodes saves little.
 */
const LEAST_ITEMS = 13;
const LEAST_FOLDED = 4;

export const FOLD_ID = ' finished';

/** Returns the finished items that can be shown as one node: items that are done and wait only for such items. */
export function findFinished(items: readonly GraphItem[]): ReadonlySet<string> {
  const known = new Set(items.map(({ id }) => id));
  const finished = new Set<string>();
  for (const { id, blockedBy, state } of orderTopologically(items).ordered) {
    const isBehind = blockedBy.every((other) => !known.has(other) || finished.has(other));
    if (state.tone === 'done' && isBehind) finished.add(id);
  }
  const isWorthIt = items.length >= LEAST_ITEMS && finished.size >= LEAST_FOLDED;
  return isWorthIt ? finished : new Set();
}

/** Puts one node in the place of all finished ones. */
export function foldFinished(
  items: readonly GraphItem[],
  finished: ReadonlySet<string>,
): readonly GraphItem[] {
  if (finished.size === 0) return items;
  const fold: GraphItem = {
    id: FOLD_ID,
    blockedBy: [],
    title: `${finished.size} done`,
    state: STATES.done,
    detail: 'show them',
    progress: '',
    href: '',
  };
  const open = items
    .filter(({ id }) => !finished.has(id))
    .map((item): GraphItem => {
      const left = item.blockedBy.filter((id) => !finished.has(id));
      const isBehind = left.length < item.blockedBy.length;
      return isBehind ? { ...item, blockedBy: [FOLD_ID, ...left] } : item;
    });
  return [fold, ...open];
}
