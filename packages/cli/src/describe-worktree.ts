import { displayPath } from '@saga-ai/core/project/display-path';
import type { Paths } from '@saga-ai/core/project/paths';
import { findStoryWorktree } from '@saga-ai/core/project/story-worktrees';

/** The worktree of a story as people read its path; undefined if there is none. */
export function describeWorktree(paths: Paths, storyId: string): string | undefined {
  const folder = findStoryWorktree(paths, storyId)?.folder;
  return folder === undefined ? undefined : displayPath(paths.root, folder);
}
