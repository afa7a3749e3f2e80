import { statSync } from 'node:fs';
import { Config } from '@saga-ai/types/config';
import type { StoryView } from '@saga-ai/types/overview';
import { parseSessionEvent } from '@saga-ai/types/session-event';
import { SessionRecord } from '@saga-ai/types/session-record';
import { type CheckIn, findStall } from '@saga-ai/types/stall';
import { SagaError } from '../errors.ts';
import { type Paths, sessionRecordFile } from '../project/paths.ts';
import { loadConfig } from '../store/config.ts';
import { readJsonFile } from '../store/json-file.ts';
import { readLastLines } from './follow-log.ts';

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

/** Which stories have a living worker that is silent, and since when; for one who looks once. */
export function loadStalls(
  paths: Paths,
  stories: readonly StoryView[],
  now: number,
): Map<string, string> {
  const checkIn = loadCheckIn(paths);
  const stalls = new Map<string, string>();
  for (const { id, session } of stories) {
    if (!session) continue;
    const file = sessionRecordFile(paths, session.session);
    const record = readJsonFile(paths.root, file, SessionRecord);
    const since = 'value' in record && findSilence(record.value.outputFile, checkIn, now);
    if (since) stalls.set(id, since);
  }
  return stalls;
}

/** Of the project; where its settings cannot be read, which is a problem of its own, the usual. */
export function loadCheckIn(paths: Paths): CheckIn {
  try {
    return loadConfig(paths).config.checkIn;
  } catch (error) {
    if (error instanceof SagaError) return Config.parse({}).checkIn;
    throw error;
  }
}

function findLastWrite(file: string): number | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found?.isFile() ? found.mtimeMs : undefined;
  } catch {
    // Not ours to look at.
    return undefined;
  }
}

/** A command of the project's own, which may be silent for as long as the worker has time. */
const ENDS_BY_ITSELF = ['setup:start', 'gate:start', 'gate:check'];

/** A worker that waits for a usage limit says so, and then nothing for hours. */
function findWait(file: string): number | undefined {
  try {
    const [line = ''] = readLastLines(file, 1).lines;
    const event = parseSessionEvent(line);
    if (event && ENDS_BY_ITSELF.includes(event.type)) return Number.POSITIVE_INFINITY;
    const until = event?.type === 'limit:waiting' ? Date.parse(String(event.until)) : Number.NaN;
    return Number.isFinite(until) ? until : undefined;
  } catch {
    // Gone in between: there is nothing to wait for.
    return undefined;
  }
}
