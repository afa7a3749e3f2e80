import { listFolder } from '../files/list-folder.ts';
import type { Paths } from '../project/paths.ts';
import { listStoryWorktrees } from '../project/story-worktrees.ts';

/** Lists the ids in use outside the archive, from file names only. */
export function listIds(paths: Paths): string[] {
  return [
    ...new Set([
      ...listFolder(paths.root, paths.stories),
      ...listStoryWorktrees(paths).keys(),
      ...listFolder(paths.root, paths.innerWorktrees),
      ...listEpicIds(paths),
    ]),
  ].sort();
}

export function listEpicIds(paths: Paths): string[] {
  return listFolder(paths.root, paths.epics)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));
}
