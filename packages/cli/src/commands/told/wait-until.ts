import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import { armDeadline } from '@saga-ai/core/processes/deadline';

const LOOK_AGAIN_MS = 200;
const FLEET_MS = 1000;

/** What a wait needs of a project. */
export interface Followed {
  overview: Pick<LiveProject['overview'], 'isVerified'>;
  changes: { listen(look: () => void): () => void };
}

/** Looks again at every change. Returns undefined if the time is up or the person ended the wait. */
export async function waitUntil<T extends { isOver: boolean }>(
  project: Followed,
  look: () => T,
  patience: number | undefined,
  stop: AbortSignal,
): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  const check = () => {
    // The index of a large project may be old at first, and no event says when it was compared with the
    // files.
    if (!project.overview.isVerified) return;
    clearInterval(unverified);
    try {
      const found = look();
      if (found.isOver) resolve(found);
    } catch (error) {
      reject(error);
    }
  };
  const unverified = setInterval(check, LOOK_AGAIN_MS);
  // The overview does not change when the fleet gives an epic back, so this timer looks again.
  const again = setInterval(check, FLEET_MS);
  const unlisten = project.changes.listen(check);
  const end = patience === undefined ? Number.POSITIVE_INFINITY : Date.now() + patience;
  using _deadline = armDeadline(end, stop, () => resolve(undefined));
  try {
    check();
    return await promise;
  } finally {
    clearInterval(unverified);
    clearInterval(again);
    unlisten();
  }
}
