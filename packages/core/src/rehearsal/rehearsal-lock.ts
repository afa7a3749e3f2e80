import { SagaError } from '../errors.ts';
import { acquireLock, findLockOwner } from '../processes/lock.ts';
import { type Paths, rehearsalLock } from '../project/paths.ts';

/** Allows one rehearsal per story at a time. A second one is refused. */
export async function lockRehearsal(paths: Paths, storyId: string): Promise<Disposable> {
  const path = rehearsalLock(paths, storyId);
  try {
    const { release } = await acquireLock(path, 0);
    return { [Symbol.dispose]: release };
  } catch (cause) {
    const owner = findLockOwner(path);
    if (!owner) throw cause;
    throw new SagaError(
      'in-flight',
      `Story ${storyId} is being rehearsed already (process ${owner.pid}).`,
      `Wait until it has ended, or end it: kill ${owner.pid}`,
      { cause },
    );
  }
}
