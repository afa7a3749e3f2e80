import { join } from 'node:path';
import type { SessionRecord } from '@saga-ai/types/run/session-record';
import { formatSession, parseAnySession, parseTaskListId } from '@saga-ai/types/words/names';
import { agent } from '../agents/chosen.ts';
import { readLastLines } from '../files/lines.ts';
import { listFolder } from '../files/list-folder.ts';
import { isElsewhere } from '../processes/identity.ts';
import { displayPath } from '../project/display-path.ts';
import { type Paths, sessionRecordFile, workerLock } from '../project/paths.ts';
import { stateOfSession } from '../records/session-records.ts';
import type { listTmuxSessions } from '../sessions/tmux.ts';
import type { DeadSession, LockFacts, RecoveryFacts } from './facts.ts';

/** The newest record of each item, by its id. */
export function findNewest(records: readonly SessionRecord[]): Map<string, SessionRecord> {
  const newest = new Map<string, SessionRecord>();
  const timeOf = (record: SessionRecord) => parseAnySession(record.session)?.timestamp ?? 0;
  for (const record of records) {
    const known = newest.get(record.story);
    if (!known || timeOf(known) < timeOf(record)) newest.set(record.story, record);
  }
  return newest;
}

export function describeSession(paths: Paths, record: SessionRecord): DeadSession {
  const { session, story, pid, outcome, endedAt, outputFile } = record;
  const lastEvent = endedAt === undefined ? readLastEvent(outputFile) : undefined;
  return {
    ...{ session, story, pid },
    file: displayPath(paths.root, sessionRecordFile(paths, session)),
    outcome,
    lastEvent,
  };
}

/** Reads the last whole line of an output file. Its content is unchecked. */
function readLastEvent(file: string): DeadSession['lastEvent'] {
  try {
    for (const line of readLastLines(file, 2).lines.toReversed()) {
      const { type, time } = parseLine(line);
      if (typeof type === 'string' && typeof time === 'string') return { type, time, file };
    }
  } catch {
    // The file is gone, because output files are in a folder for temporary files.
  }
  return undefined;
}

function parseLine(line: string): { type?: unknown; time?: unknown } {
  try {
    return JSON.parse(line) ?? {};
  } catch {
    // A killed worker may leave half a line.
    return {};
  }
}

export function findSchedulers(
  paths: Paths,
  records: readonly SessionRecord[],
  newest: ReadonlyMap<string, SessionRecord>,
): DeadSession[] {
  return records
    .filter((it) => it.isEpic && newest.get(it.story) === it && it.discardedAt === undefined)
    .filter((it) => stateOfSession(it) === 'died')
    .map((it) => describeSession(paths, it));
}

/** Other projects use the same tmux server, so only sessions with a record here count. */
export function findDeadTmux(
  found: Awaited<ReturnType<typeof listTmuxSessions>>,
  records: readonly SessionRecord[],
): RecoveryFacts['tmux'] {
  const dead = new Map(
    records.filter((it) => stateOfSession(it) !== 'running').map((it) => [it.session, it]),
  );
  return found.flatMap(({ session, kill }) => {
    const record = dead.get(session);
    return record ? [{ session, story: record.story, kill }] : [];
  });
}

export function findElsewhere(
  paths: Paths,
  records: readonly SessionRecord[],
  locks: readonly LockFacts[],
): RecoveryFacts['elsewhere'] {
  const isHeld = (story: string) => locks.some(({ path }) => path === workerLock(paths, story));
  return records
    .filter((it) => it.endedAt === undefined && isElsewhere(it) && !isHeld(it.story))
    .map(({ session, story, host, startedAt }) => ({
      ...{ session, story, host, startedAt },
      file: displayPath(paths.root, sessionRecordFile(paths, session)),
    }));
}

/**
 * Finds the native lists of this project. The name of a list contains the story and the time of its session, and that
 * session has a record here.
 */
export function findLists(
  clientHome: string,
  records: readonly SessionRecord[],
): RecoveryFacts['lists'] {
  const folder = agent.tasks.findFolder({ config: clientHome });
  const own = new Set(records.map(({ session }) => session));
  return listFolder(clientHome, folder).flatMap((name) => {
    const parsed = parseTaskListId(name);
    return parsed && own.has(formatSession(parsed))
      ? [{ name, story: parsed.storyId, folder: join(folder, name) }]
      : [];
  });
}
