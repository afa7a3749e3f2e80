import type { Epic } from './epic.ts';

/** Maps each story or epic to the epic that it is a child of. If several list it, the first one counts. */
export function findParents(epics: Iterable<Epic>): Map<string, string> {
  const parents = new Map<string, string>();
  for (const epic of epics) {
    for (const child of epic.children) if (!parents.has(child.id)) parents.set(child.id, epic.id);
  }
  return parents;
}

/** Lists the epics around a story or an epic, from the inside to the outside. Stops at a circle. */
export function listAround(parents: ReadonlyMap<string, string>, id: string): string[] {
  const around: string[] = [];
  for (let at = parents.get(id); at !== undefined && !around.includes(at); at = parents.get(at)) {
    around.push(at);
  }
  return around;
}
