import { statSync } from 'node:fs';
import { parseSessionEvent } from '@saga-ai/types/run/session-event';
import { SessionRecord } from '@saga-ai/types/run/session-record';
import { type CheckIn, findStall } from '@saga-ai/types/screens/stall';
import { readJsonFile } from '../files/json-file.ts';
import { readLastLines } from '../files/last-lines.ts';
import { loadConfigOrDefaults } from '../plan/config.ts';
import { type Paths, sessionRecordFile } from '../project/paths.ts';

/** Since when a living worker has written nothing, if that is too long; of a file that is gone nobody can say. */
export function findSilence(outputFile: string, checkIn: CheckIn, now: number): string | undefined {
  const writtenAt = findLastWrite(outputFile);
  if (writtenAt === undefined || findStall({ writtenAt }, checkIn, now) === undefined) {
    return undefined;
  }
  // Only of one that seems stalled it is worth looking what it said last.
  const waitsUntil = findWait(outputFile);
  return findStall({ writtenAt, ...(waitsUntil ? { waitsUntil } : {}) }, checkIn, now);
}

/** Since when the living worker of a session is silent; for one who looks once. */
export function loadStall(paths: Paths, session: string, now: number): string | undefined {
  const record = readJsonFile(paths.root, sessionRecordFile(paths, session), SessionRecord);
  if (!('value' in record)) return undefined;
  return findSilence(record.value.outputFile, loadCheckIn(paths), now);
}

export const loadCheckIn = (paths: Paths): CheckIn => loadConfigOrDefaults(paths).checkIn;

function findLastWrite(file: string): number | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found?.isFile() ? found.mtimeMs : undefined;
  } catch {
    // Not ours to look at.
    return undefined;
  }
}

/** A checkout, or a command of the project's own: silent, and ended when the time is up. */
const ENDS_BY_ITSELF = ['worktree:start', 'setup:start', 'gate:start', 'gate:check'];

/** A worker that waits for a usage limit says so, and then nothing for hours. */
function findWait(file: string): number | undefined {
  try {
    const [line = ''] = readLastLines(file, 1).lines;
    const event = parseSessionEvent(line);
    if (event && ENDS_BY_ITSELF.includes(event.type)) return Number.POSITIVE_INFINITY;
    const until = event?.type === 'limit:waiting' ? Date.parse(event.until) : Number.NaN;
    return Number.isFinite(until) ? until : undefined;
  } catch {
    // Gone in between: there is nothing to wait for.
    return undefined;
  }
}
