import { SessionRecord } from '@saga-ai/types/run/session-record';
import type { SessionView } from '@saga-ai/types/screens/overview';
import type { SessionState } from '@saga-ai/types/screens/story-state';
import {
  formatEpicSession,
  formatSession,
  parseEpicSession,
  parseSession,
} from '@saga-ai/types/words/names';
import type { Problem } from '@saga-ai/types/words/problem';
import { ensureIgnoredFolder, replacePrivately } from '../files/atomic-write.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { readJsonFile } from '../files/json-file.ts';
import { formatJson } from '../files/json-text.ts';
import { listFolder } from '../files/list-folder.ts';
import { isWorkerGone } from '../processes/identity.ts';
import { displayPath } from '../project/display-path.ts';
import { type Paths, parseSessionRecordName, sessionRecordFile } from '../project/paths.ts';

export function saveSessionRecord(paths: Paths, record: SessionRecord): void {
  ensureIgnoredFolder(paths.runs);
  ensureFolder(paths.sessions, 0o700);
  // A record shows what the model does and reads, so only its owner may read it.
  replacePrivately(sessionRecordFile(paths, record.session), formatJson(record));
}

/** Loads all records, newest first. Returns a problem for each record that cannot be read. */
export function loadSessionRecords(paths: Paths): {
  records: SessionRecord[];
  problems: Problem[];
} {
  const records: SessionRecord[] = [];
  const problems: Problem[] = [];
  for (const name of listFolder(paths.root, paths.sessions)) {
    if (!name.endsWith('.json') || name.startsWith('.')) continue;
    const result = readJsonFile(paths.root, `${paths.sessions}/${name}`, SessionRecord);
    if ('value' in result) records.push(result.value);
    else problems.push(...result.problems);
  }
  records.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  return { records, problems };
}

/** Loads the record of the newest scheduler of each epic, by the epic's id. One that cannot be read is left out. */
export function loadEpicRecords(paths: Paths): Map<string, SessionRecord> {
  const newest = new Map<string, number>();
  for (const name of listFolder(paths.root, paths.sessions)) {
    const { storyId, timestamp } = parseEpicSession(parseSessionRecordName(name) ?? '') ?? {};
    if (storyId === undefined || timestamp === undefined) continue;
    newest.set(storyId, Math.max(timestamp, newest.get(storyId) ?? 0));
  }
  return new Map(
    [...newest].flatMap(([storyId, timestamp]): [string, SessionRecord][] => {
      const record = loadSessionRecord(paths, formatEpicSession({ storyId, timestamp }));
      return record ? [[storyId, record]] : [];
    }),
  );
}

/** Returns undefined if the record is gone or cannot be read. */
export function loadSessionRecord(paths: Paths, session: string): SessionRecord | undefined {
  const result = readJsonFile(paths.root, sessionRecordFile(paths, session), SessionRecord);
  return 'value' in result ? result.value : undefined;
}

/** Returns what a story's living worker does, or undefined if there is none. */
export function findLiveSession(paths: Paths, storyId: string): SessionView | undefined {
  const newest = listFolder(paths.root, paths.sessions)
    .flatMap((name) => parseSession(parseSessionRecordName(name) ?? '') ?? [])
    .filter((it) => it.storyId === storyId)
    .reduce((latest, { timestamp }) => Math.max(latest, timestamp), 0);
  const file = sessionRecordFile(paths, formatSession({ storyId, timestamp: newest }));
  const result = newest === 0 ? undefined : readJsonFile(paths.root, file, SessionRecord);
  if (!result || !('value' in result) || stateOfSession(result.value) !== 'running')
    return undefined;
  const { session, startedAt, cycle, tokens, costUsd, task, activity, waiting } = result.value;
  const { isCostEstimated = false, isCostUnknown = false, silentSince } = result.value;
  const { startedIn, machine } = result.value;
  const isHere = startedIn === undefined || startedIn === paths.root || machine !== undefined;
  return {
    session,
    startedAt,
    ...(isHere ? {} : { startedIn: displayPath(paths.root, startedIn) }),
    cycle,
    tokens,
    costUsd,
    isCostEstimated,
    isCostUnknown,
    task: task ?? null,
    activity: activity ?? null,
    waiting: waiting ?? null,
    isAsked: silentSince === undefined ? undefined : true,
  };
}

/**
 * Derives the state of a session. `died`: the record has no end and the process has ended, so it was killed or the
 * machine stopped. For a worker on another machine of the fleet, the lease decides.
 */
export function stateOfSession(record: SessionRecord): SessionState {
  if (record.endedAt !== undefined) return 'ended';
  return isWorkerGone(record) ? 'died' : 'running';
}

/** Notes in the records of a story's ended workers that their work was discarded. Returns how many there are. */
export function markDiscarded(paths: Paths, storyId: string, at: string): number {
  const ended = loadSessionRecords(paths).records.filter(
    (it) =>
      it.story === storyId &&
      !it.isEpic &&
      it.discardedAt === undefined &&
      stateOfSession(it) !== 'running',
  );
  for (const record of ended) saveSessionRecord(paths, { ...record, discardedAt: at });
  return ended.length;
}

/** Takes the note back from the records that a discard at that time marked. */
export function unmarkDiscarded(paths: Paths, storyId: string, at: string): void {
  for (const record of loadSessionRecords(paths).records) {
    if (record.story !== storyId || record.discardedAt !== at) continue;
    const { discardedAt: _, ...rest } = record;
    saveSessionRecord(paths, rest as SessionRecord);
  }
}
