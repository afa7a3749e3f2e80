import { listFolder } from '../files/list-folder.ts';
import type { Paths } from '../project/paths.ts';

/** The ids in use outside the archive, by names alone: nothing is read. */
export function listIds(paths: Paths): string[] {
  return [
    ...new Set([
      ...listFolder(paths.root, paths.stories),
      ...listFolder(paths.root, paths.worktrees),
      ...listEpicIds(paths),
    ]),
  ].sort();
}

export function listEpicIds(paths: Paths): string[] {
  return listFolder(paths.root, paths.epics)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));
}
