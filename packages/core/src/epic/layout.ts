import type { Epic } from '@saga-ai/types/plan/epic';

/** A story or an inner epic of an epic that is run. */
export interface EpicItem {
  id: string;
  kind: 'story' | 'epic';
  /** The epic whose branch it is merged into. */
  epic: string;
  /**
   * The items that must be merged before this one begins: those that the item itself waits for, and those that the
   * epics around it wait for.
   */
  needs: readonly string[];
  /** The globs of files that the story may write; empty if it may write all files. */
  writes: readonly string[];
}

/**
 * Lists everything below an epic, at any depth, in the order of the plan. An epic that contains itself, or
 * one that is missing, ends the search there.
 */
export function layOut(
  root: string,
  epics: ReadonlyMap<string, Pick<Epic, 'children'>>,
  writesOf: (storyId: string) => readonly string[] = () => [],
): EpicItem[] {
  const items: EpicItem[] = [];
  const seen = new Set([root]);
  const visit = (epic: string, inherited: readonly string[]) => {
    for (const { id, blockedBy } of epics.get(epic)?.children ?? []) {
      if (seen.has(id)) continue;
      seen.add(id);
      const needs = [...new Set([...inherited, ...blockedBy])];
      const kind = epics.has(id) ? 'epic' : 'story';
      items.push({ id, kind, epic, needs, writes: kind === 'story' ? writesOf(id) : [] });
      if (kind === 'epic') visit(id, needs);
    }
  };
  visit(root, []);
  return items;
}

/** An item of a run. `isPlanned` is false if it was taken out of the plan while the epic is run. */
export interface PlannedItem extends EpicItem {
  isPlanned?: boolean;
}

/**
 * Returns the items of a run as the plan has them now. What was added to the plan is left to the next run: nobody has
 * agreed yet to what it executes. If an epic cannot be read, nothing is known to have changed.
 */
export function layOutAgain(
  root: string,
  items: readonly PlannedItem[],
  epics: ReadonlyMap<string, Pick<Epic, 'children'>>,
): readonly PlannedItem[] {
  const known = new Set([root, ...items.map((it) => it.id)]);
  const now = new Map(layOut(root, epics).map((it) => [it.id, it]));
  const isUnread = items.some(({ id, kind }) => kind === 'epic' && now.get(id)?.kind === 'story');
  if (!epics.has(root) || isUnread) return items;
  return items.map((item): PlannedItem => {
    const found = now.get(item.id);
    if (!found || !known.has(found.epic)) return { ...item, isPlanned: false };
    const needs = found.needs.filter((it) => known.has(it));
    return { ...found, needs, writes: item.writes };
  });
}

/** Returns the items that wait for an item, directly or through others. The item itself is included. */
export function findDownstream(id: string, items: readonly EpicItem[]): Set<string> {
  const found = new Set([id]);
  for (let before = 0; before !== found.size; ) {
    before = found.size;
    for (const item of items) {
      if (item.needs.some((it) => found.has(it)) || found.has(item.epic)) found.add(item.id);
    }
  }
  return found;
}
