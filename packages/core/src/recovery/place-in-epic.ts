import { Epic, type EpicChild } from '@saga-ai/types/plan/epic';
import { saveJsonFields } from '../files/json-file.ts';
import { readEpics } from '../plan/epics.ts';
import { epicFile, type Paths } from '../project/paths.ts';

/** Where an item stands in its epic. */
export interface PlaceInEpic {
  epic: string;
  blockedBy: string[];
  /** The siblings that wait for it. */
  dependents: string[];
}

/** Finds the epic that lists an item. Returns undefined if no epic does. */
export function findPlaceInEpic(paths: Paths, id: string): PlaceInEpic | undefined {
  for (const epic of readEpics(paths).epics) {
    const child = epic.children.find((it) => it.id === id);
    if (!child) continue;
    const dependents = epic.children.filter((it) => it.blockedBy.includes(id));
    return {
      epic: epic.id,
      blockedBy: child.blockedBy,
      dependents: dependents.map((it) => it.id),
    };
  }
  return undefined;
}

/** Rewrites the children of an epic. The caller must hold the project lock. */
export function saveChildren(
  paths: Paths,
  epicId: string,
  change: (children: readonly EpicChild[]) => EpicChild[],
): boolean {
  const epic = readEpics(paths).epics.find((it) => it.id === epicId);
  if (!epic) return false;
  const children = change(epic.children);
  return saveJsonFields(paths.root, epicFile(paths, epicId), Epic, { children });
}

/** Removes a child. Its dependents then wait for its own blockers. */
export function withoutChild(children: readonly EpicChild[], id: string): EpicChild[] {
  const own = children.find((it) => it.id === id)?.blockedBy ?? [];
  return children
    .filter((it) => it.id !== id)
    .map((it) =>
      it.blockedBy.includes(id)
        ? {
            ...it,
            blockedBy: [...new Set([...it.blockedBy.filter((other) => other !== id), ...own])],
          }
        : it,
    );
}

/** Gives a child another id, in its own entry and in the `blockedBy` of its siblings. */
export function withOtherId(children: readonly EpicChild[], from: string, to: string): EpicChild[] {
  const swap = (id: string) => (id === from ? to : id);
  return children.map((it) => ({ ...it, id: swap(it.id), blockedBy: it.blockedBy.map(swap) }));
}
