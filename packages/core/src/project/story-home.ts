import { isThere } from './git-files.ts';
import { mainStoryFolder, type Paths, storyFolderIn } from './paths.ts';
import { findStoryWorktree, listStoryWorktrees, type OnUnlisted } from './story-worktrees.ts';

/**
 * Returns the live copy of a story's folder: the worktree's if there is one, else the main checkout's. For a worker,
 * the worktree is fixed: if the copy in it is gone, there is no live copy, and the one in the main checkout is not
 * used.
 */
export function findStoryHome(paths: Paths, storyId: string): string | undefined {
  const pinned = paths.pinned.find((it) => it.storyId === storyId);
  if (pinned) {
    const home = storyFolderIn(pinned.folder, storyId);
    return isThere(home) ? home : undefined;
  }
  const worktree = findStoryWorktree(paths, storyId);
  const inWorktree = worktree && storyFolderIn(worktree.folder, storyId);
  if (inWorktree !== undefined && isThere(inWorktree)) return inWorktree;
  const inMain = mainStoryFolder(paths, storyId);
  return isThere(inMain) ? inMain : undefined;
}

/** Lists the live copies that are in worktrees, by story. */
export function listWorktreeHomes(paths: Paths, onUnlisted?: OnUnlisted): Map<string, string> {
  const homes = new Map<string, string>();
  for (const { storyId, folder } of listStoryWorktrees(paths, onUnlisted).values()) {
    const home = storyFolderIn(folder, storyId);
    if (isThere(home)) homes.set(storyId, home);
  }
  return homes;
}
