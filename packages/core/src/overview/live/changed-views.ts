import { sameValue } from './same-value.ts';

export interface TakenViews<T> {
  views: Map<string, T>;
  changed: string[];
}

/**
 * Returns the views by id, in the order of the list, and which of them are new, different or gone. An
 * unchanged view keeps its former object, so that the new object can be freed at once.
 */
export function takeChanged<T extends { id: string }>(
  known: ReadonlyMap<string, T>,
  list: readonly T[],
): TakenViews<T> {
  const views = new Map<string, T>();
  const changed: string[] = [];
  for (const item of list) {
    const before = known.get(item.id);
    const isSame = before !== undefined && sameValue(before, item);
    views.set(item.id, isSame ? before : item);
    if (!isSame) changed.push(item.id);
  }
  for (const id of known.keys()) if (!views.has(id)) changed.push(id);
  return { views, changed };
}

/** Like takeChanged, for a few views of which none is new or gone. Changes the map in place. */
export function replaceChanged<T>(
  views: Map<string, T>,
  ids: Iterable<string>,
  derive: (id: string) => T | undefined,
): string[] {
  const changed: string[] = [];
  for (const id of ids) {
    const before = views.get(id);
    const after = before && derive(id);
    if (!after || sameValue(before, after)) continue;
    views.set(id, after);
    changed.push(id);
  }
  return changed;
}
