import type { SchedulerFacts } from '@saga-ai/types/screens/epic-run/epic-calls';
import type { Paths } from '../../project/paths.ts';
import { findDeath } from '../../records/find-death.ts';
import { loadEpicRecords, stateOfSession } from '../../records/session-records.ts';

/** Loads how the newest scheduler of each epic stands, by the epic's id. Discarded ones are left out. */
export function loadSchedulers(paths: Paths): Map<string, SchedulerFacts> {
  const found = new Map<string, SchedulerFacts>();
  for (const [id, record] of loadEpicRecords(paths)) {
    if (record.discardedAt !== undefined) continue;
    const state = stateOfSession(record);
    const died = state === 'died' ? findDeath(paths, record.session) : undefined;
    const at = record.endedAt ?? died;
    found.set(id, { state, at: at ?? null });
  }
  return found;
}
