import { statSync } from 'node:fs';
import { mainStoryFolder, type Paths, worktreeStoryFolder } from './paths.ts';

/** Which copy of a story counts now: its worktree's while there is one, else the main checkout's. */
export function findStoryHome(paths: Paths, storyId: string): string | undefined {
  const inWorktree = worktreeStoryFolder(paths, storyId);
  if (isThere(inWorktree)) return inWorktree;
  const inMain = mainStoryFolder(paths, storyId);
  return isThere(inMain) ? inMain : undefined;
}

/** What we may not look at is there all the same: another copy must not pass for the live one. */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR';
  }
}
