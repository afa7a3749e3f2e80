import { ensureIgnoredFolder } from '../../files/atomic-write.ts';
import { hasWorker } from '../../plan/story-lock.ts';
import { acquireLock, findLockOwner } from '../../processes/lock.ts';
import { workerLock } from '../../project/paths.ts';
import type { Worker } from '../context.ts';

/** Allows one worker per story. Takes over the lock of a dead worker and fails at once if a worker lives. */
export async function lockWorker({
  paths,
  storyId,
}: Pick<Worker, 'paths' | 'storyId'>): Promise<Disposable> {
  ensureIgnoredFolder(paths.runs);
  const path = workerLock(paths, storyId);
  try {
    const { release } = await acquireLock(path, 0);
    return { [Symbol.dispose]: release };
  } catch (error) {
    const owner = findLockOwner(path);
    if (!owner) throw error;
    throw hasWorker(paths, storyId, owner, error);
  }
}
