import { isId } from '@saga-ai/types/ids';
import { type Paths, projectLock, storyLock } from '../project/paths.ts';
import { findStoryHome } from '../project/story-home.ts';
import { ensureIgnoredFolder, sweepTemps } from './atomic-write.ts';
import { withLock } from './lock.ts';
import { notFound } from './not-found.ts';
import { finishInterrupted } from './staging.ts';

/** Runs with a story's folder to ourselves; the copy that counts is asked for inside the lock. */
export async function withStoryLock<T>(
  paths: Paths,
  storyId: string,
  act: (home: string) => T | Promise<T>,
): Promise<T> {
  if (!isId(storyId) || !findStoryHome(paths, storyId)) throw notFound(paths, storyId);
  ensureIgnoredFolder(paths.runs);
  return withLock(storyLock(paths, storyId), ({ takenOver }) => {
    const home = findStoryHome(paths, storyId);
    if (!home) throw notFound(paths, storyId);
    if (takenOver) sweepTemps(home);
    return act(home);
  });
}

/**
 * Runs alone among all who create, archive, or write epics and config. What a killed create left is
 * finished first, so that nobody builds on half of it.
 */
export async function withProjectLock<T>(paths: Paths, act: () => T | Promise<T>): Promise<T> {
  ensureIgnoredFolder(paths.runs);
  return withLock(projectLock(paths), ({ takenOver }) => {
    if (takenOver) for (const folder of [paths.saga, paths.epics]) sweepTemps(folder);
    finishInterrupted(paths);
    return act();
  });
}
