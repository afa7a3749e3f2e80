import { existsSync } from 'node:fs';
import { mainStoryFolder, type Paths, worktreeStoryFolder } from './paths.ts';

/** Which copy of a story counts now: its worktree's while there is one, else the main checkout's. */
export function findStoryHome(paths: Paths, storyId: string): string | undefined {
  const inWorktree = worktreeStoryFolder(paths, storyId);
  if (existsSync(inWorktree)) return inWorktree;
  const inMain = mainStoryFolder(paths, storyId);
  return existsSync(inMain) ? inMain : undefined;
}
