import { isId } from '@saga-ai/types/plan/ids';
import { SagaError } from '../errors.ts';
import { ensureIgnoredFolder, sweepTemps } from '../files/atomic-write.ts';
import { isElsewhere, type ProcessIdentity } from '../processes/identity.ts';
import { findLockOwner, withLock } from '../processes/lock.ts';
import { displayPath } from '../project/display-path.ts';
import { type Paths, projectLock, storyLock, workerLock } from '../project/paths.ts';
import { findStoryHome } from '../project/story-home.ts';
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

/** A story has one worker; a second one is refused. */
export function hasWorker(
  paths: Paths,
  storyId: string,
  owner: ProcessIdentity,
  cause?: unknown,
): SagaError {
  return new SagaError(
    'in-flight',
    `Story ${storyId} has a worker already (${describeOwner(paths, storyId, owner)}).`,
    isElsewhere(owner)
      ? forgetHint(storyId)
      : `Watch it: saga logs -f ${storyId}. Stop it: saga stop ${storyId}`,
    { cause },
  );
}

/** Of another machine nobody here knows whether it lives, so it is said where the lock is. */
function describeOwner(paths: Paths, storyId: string, owner: ProcessIdentity): string {
  if (!isElsewhere(owner)) return `process ${owner.pid}`;
  const lock = displayPath(paths.root, workerLock(paths, storyId));
  return `process ${owner.pid} on ${owner.host}, by its lock ${lock}`;
}

const forgetHint = (storyId: string) =>
  `Stop it there: saga stop ${storyId}. If that machine is gone: saga stop --forget ${storyId}`;

/**
 * While a worker is at a story, what its tasks say stays as it is: a run is held to it, and a change
 * would be taken for the run's own and put back.
 */
export function requireIdle(paths: Paths, storyId: string): void {
  const owner = findLockOwner(workerLock(paths, storyId));
  if (!owner) return;
  throw new SagaError(
    'in-flight',
    `Story ${storyId} is being worked on (${describeOwner(paths, storyId, owner)}), so its plan cannot be changed now.`,
    isElsewhere(owner) ? forgetHint(storyId) : `Stop the worker first: saga stop ${storyId}`,
  );
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
