import { listFolder } from '../files/list-folder.ts';
import type { Paths } from '../project/paths.ts';

/** Lists the ids in the archive. They can never be used again. */
export function listArchived(paths: Paths): Set<string> {
  return new Set([
    ...listFolder(paths.root, paths.archivedStories),
    ...listFolder(paths.root, paths.archivedEpics).map((name) => name.replace(/\.json$/, '')),
  ]);
}
