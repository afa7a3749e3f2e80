import { dirname } from 'node:path';
import { isId } from '@saga-ai/types/plan/ids';
import { SagaError } from '../errors.ts';
import { ensureIgnoredFolder, sweepTemps } from '../files/atomic-write.ts';
import { refuseLinks, refuseLinksIn } from '../files/own-links.ts';
import { isElsewhere, type ProcessIdentity } from '../processes/identity.ts';
import { findLockOwner, withLock } from '../processes/lock.ts';
import { displayPath } from '../project/display-path.ts';
import { type Paths, projectLock, storyLock, workerLock } from '../project/paths.ts';
import { findStoryHome } from '../project/story-home.ts';
import { notFound } from './not-found.ts';
import { finishInterrupted } from './staging.ts';

/**
 * Runs `act` while no other process changes the story. The story's live copy is determined inside the
 * lock.
 */
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
    refuseLinks(dirname(dirname(home)), dirname(home), home);
    if (takenOver) sweepTemps(home);
    return act(home);
  });
}

/** `startedIn`: the checkout in which the process was started, if it is known and not this one. */
type LockOwner = ProcessIdentity & { startedIn?: string | undefined };

/** Builds the error for a second worker, because a story has only one. */
export function hasWorker(
  paths: Paths,
  storyId: string,
  owner: LockOwner,
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

/**
 * Describes the owner of a lock. For an owner on another machine it names the lock, because this machine cannot know
 * whether that owner lives.
 */
function describeOwner(paths: Paths, storyId: string, owner: LockOwner): string {
  const place = owner.startedIn === undefined ? '' : `, started in ${owner.startedIn}`;
  if (!isElsewhere(owner)) return `process ${owner.pid}${place}`;
  const lock = displayPath(paths.root, workerLock(paths, storyId));
  return `process ${owner.pid} on ${owner.host}, by its lock ${lock}`;
}

const forgetHint = (storyId: string) =>
  `Stop it there: saga stop ${storyId}. If that machine is gone: saga stop --forget ${storyId}`;

/**
 * Throws while a worker runs the story: a change of the plan would count as the run's own and would be put back.
 * `refused` names, in the error, the action that is not done.
 */
export function requireIdle(
  paths: Paths,
  storyId: string,
  refused = 'its plan cannot be changed now',
): void {
  const owner = findLockOwner(workerLock(paths, storyId));
  if (!owner) return;
  throw new SagaError(
    'in-flight',
    `Story ${storyId} is being worked on (${describeOwner(paths, storyId, owner)}), so ${refused}.`,
    isElsewhere(owner) ? forgetHint(storyId) : `Stop the worker first: saga stop ${storyId}`,
  );
}

/**
 * Runs `act` while no other process creates, archives, or writes epics or config. An interrupted
 * creation is finished first.
 */
export async function withProjectLock<T>(paths: Paths, act: () => T | Promise<T>): Promise<T> {
  ensureIgnoredFolder(paths.runs);
  refuseLinks(paths.stories, paths.epics, paths.archive);
  refuseLinksIn(paths.passing);
  return withLock(projectLock(paths), ({ takenOver }) => {
    if (takenOver) for (const folder of [paths.saga, paths.epics]) sweepTemps(folder);
    finishInterrupted(paths);
    return act();
  });
}
