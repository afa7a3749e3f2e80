import { isId } from '@saga-ai/types/plan/ids';
import type { SessionRecord } from '@saga-ai/types/run/session-record';
import { SagaError } from '../errors.ts';
import { notFound } from '../plan/not-found.ts';
import type { Paths } from '../project/paths.ts';
import { findStoryHome } from '../project/story-home.ts';
import { loadSessionRecords, stateOfSession } from '../records/session-records.ts';

/**
 * Returns the session with this name, or the newest session of this story; without a name, returns the one that runs.
 */
export function findSession(paths: Paths, name: string | undefined): SessionRecord {
  const { records } = loadSessionRecords(paths);
  if (name === undefined) return findRunning(records);
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

function findRunning(records: readonly SessionRecord[]): SessionRecord {
  const running = records.filter((it) => stateOfSession(it) === 'running');
  const [first, ...others] = running;
  if (first && others.length === 0) return first;
  if (!first) {
    throw new SagaError(
      'not-running',
      'No session is running.',
      'Name a story. saga sessions lists what ran.',
    );
  }
  throw new SagaError(
    'usage',
    `Several sessions are running: ${running.map(({ story }) => story).join(', ')}.`,
    'Name one of them.',
  );
}
