import { isId } from '@saga-ai/types/plan/ids';
import type { SessionRecord } from '@saga-ai/types/run/session-record';
import { SagaError } from '../errors.ts';
import { notFound } from '../plan/not-found.ts';
import type { Paths } from '../project/paths.ts';
import { findStoryHome } from '../project/story-home.ts';
import { loadSessionRecords } from '../records/session-records.ts';

/** Returns the session with this name, or the newest session of this story. */
export function findSession(paths: Paths, name: string): SessionRecord {
  const { records } = loadSessionRecords(paths);
  const record =
    records.find((it) => it.session === name) ?? records.find((it) => it.story === name);
  if (record) return record;
  if (!isId(name) || !findStoryHome(paths, name)) throw notFound(paths, name);
  throw new SagaError(
    'session-failed',
    `Story ${name} was never run here.`,
    `Start it: saga run ${name}`,
  );
}
