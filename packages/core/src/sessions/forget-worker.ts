import { SagaError } from '../errors.ts';
import { isElsewhere, type ProcessIdentity } from '../processes/identity.ts';
import { findLockOwner, forgetForeignOwner } from '../processes/lock.ts';
import { type Paths, storyLock, workerLock } from '../project/paths.ts';
import { loadSessionRecords, saveSessionRecord } from '../records/session-records.ts';

export interface Forgotten {
  /** Who held the story; undefined if no process of another machine did. */
  owner: ProcessIdentity | undefined;
  /** The sessions whose record said that a worker of another machine was running. */
  sessions: string[];
}

/**
 * Forgets a worker of another machine because a person asked for it: whether the worker lives cannot
 * be known here. Removes its lock and notes the end in its record. A worker of this machine must be
 * stopped instead.
 */
export function forgetWorker(paths: Paths, storyId: string): Forgotten {
  const locks = [workerLock(paths, storyId), storyLock(paths, storyId)];
  const [holder] = locks.flatMap((lock) => findLockOwner(lock) ?? []);
  if (holder && !isElsewhere(holder)) throw isHere(storyId, holder);
  const [owner] = locks.flatMap((lock) => forgetForeignOwner(lock) ?? []);
  const left = loadSessionRecords(paths).records.filter(
    (it) => it.story === storyId && it.endedAt === undefined && isElsewhere(it),
  );
  for (const record of left) {
    const reason = `forgotten: process ${record.pid} on ${record.host} may still be running`;
    const endedAt = new Date().toISOString();
    const cause = { kind: 'stopped' as const, why: reason };
    saveSessionRecord(paths, { ...record, endedAt, outcome: 'stopped', cause, reason });
  }
  return { owner, sessions: left.map((it) => it.session) };
}

function isHere(storyId: string, { pid }: ProcessIdentity): SagaError {
  return new SagaError(
    'in-flight',
    `The worker of ${storyId} (process ${pid}) lives on this machine, so it cannot be forgotten.`,
    `Stop it: saga stop ${storyId}`,
  );
}
