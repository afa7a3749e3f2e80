import { parseSessionEvent } from '@saga-ai/types/run/session-event';
import { SessionRecord } from '@saga-ai/types/run/session-record';
import { type CheckIn, findStall } from '@saga-ai/types/screens/stall';
import { findLastWrite } from '../files/change-time.ts';
import { readJsonFile } from '../files/json-file.ts';
import { readLastLines } from '../files/lines.ts';
import { loadConfigOrDefaults } from '../plan/config.ts';
import { type Paths, sessionRecordFile } from '../project/paths.ts';

/**
 * Returns since when a run shows no sign of life, if its worker says so. Otherwise returns since when a living worker
 * has written nothing, if that is too long. Returns undefined if the output file is missing.
 */
export function findSilence(
  { outputFile, silentSince }: Pick<SessionRecord, 'outputFile' | 'silentSince'>,
  checkIn: CheckIn,
  now: number,
): string | undefined {
  if (silentSince !== undefined) return silentSince;
  const writtenAt = findLastWrite(outputFile);
  if (writtenAt === undefined || findStall({ writtenAt }, checkIn, now) === undefined) {
    return undefined;
  }
  // Read the last event only if the worker seems stalled.
  const waitsUntil = findWait(outputFile);
  return findStall({ writtenAt, waitsUntil: waitsUntil || undefined }, checkIn, now);
}

/** Loads the record and settings, and returns since when the session's living worker is silent. */
export function loadStall(paths: Paths, session: string, now: number): string | undefined {
  const record = readJsonFile(paths.root, sessionRecordFile(paths, session), SessionRecord);
  if (!('value' in record)) return undefined;
  return findSilence(record.value, loadCheckIn(paths), now);
}

export const loadCheckIn = (paths: Paths): CheckIn => loadConfigOrDefaults(paths).checkIn;

/**
 * After these events a checkout or a command of the project runs: it may be silent, and it has its own
 * deadline.
 */
const ENDS_BY_ITSELF = [
  'worktree:start',
  'setup:start',
  'gate:start',
  'gate:check',
  'gate:verify',
  'gate:output',
  'gate:silent',
];

/**
 * Returns until when a worker waits, by its last event. A worker that waits for a usage limit or the model may be
 * silent for long.
 */
function findWait(file: string): number | undefined {
  try {
    const [line = ''] = readLastLines(file, 1).lines;
    const event = parseSessionEvent(line);
    if (event && ENDS_BY_ITSELF.includes(event.type)) return Number.POSITIVE_INFINITY;
    const isWaiting =
      event?.type === 'limit:waiting' ||
      event?.type === 'outage:waiting' ||
      event?.type === 'answer:waiting';
    const until = isWaiting ? Date.parse(event.until) : Number.NaN;
    return Number.isFinite(until) ? until : undefined;
  } catch {
    // The file was removed meanwhile.
    return undefined;
  }
}
