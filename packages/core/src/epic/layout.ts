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
