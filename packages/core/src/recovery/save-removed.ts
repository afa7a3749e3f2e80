import { openPlainGit } from '../git/plain-git.ts';
import type { Environment } from '../processes/run.ts';
import { type Paths, storyBranch } from '../project/paths.ts';
import { openTrashGit, saveWork } from '../trash/save-work.ts';
import { findPlaceInEpic } from './place-in-epic.ts';

/**
 * Saves the plan of a story in the trash, as `saga delete` does, and removes nothing. For stories that nobody began:
 * they have no branch and no worktree. The caller must hold the story's lock.
 */
export async function saveRemoved(paths: Paths, id: string, env: Environment): Promise<void> {
  const git = openPlainGit(paths.root, env);
  const place = findPlaceInEpic(paths, id);
  const note = {
    epic: place ? place.epic : undefined,
    blockedBy: place?.blockedBy ?? [],
    dependents: place?.dependents ?? [],
  };
  using raw = await openTrashGit(paths, git, id);
  await saveWork(
    {
      ...{ paths, git, id, why: 'delete', timestamp: Date.now(), known: [] },
      branch: storyBranch(paths, id),
      plan: { files: [], note },
    },
    raw,
  );
}
