import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { parseSessionEvent } from '@saga-ai/types/run/session-event';
import type { LogAnswer } from '@saga-ai/types/screens/dashboard';
import { errorCodeOf, SagaError } from '../errors.ts';
import { readLineWindow } from '../files/lines.ts';

const USUAL = 128 * 1024;
const MOST = 1024 * 1024;
/** A line may be longer than a window. A line longer than this is skipped. */
const LONGEST = 8 * 1024 * 1024;
/** If the path is a pipe, opening it must not block. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

export interface LogWindow {
  from: number;
  to: number;
  size: number;
  /** Whole events that this version can read. */
  lines: string[];
}

/** Reads the events in one part of an output file. Reads no other part. */
export async function loadLogWindow(
  file: string,
  { from = 0, bytes = USUAL }: { from?: number | undefined; bytes?: number | undefined },
): Promise<LogWindow> {
  const handle = await openLog(file);
  try {
    const { size } = await handle.stat();
    const wanted = Math.min(Math.max(1, bytes), MOST);
    const begin = from < 0 ? Math.max(0, size - wanted) : Math.min(from, size);
    const end = Math.min(begin + wanted, size);
    const found = await readLineWindow(handle, [begin, end], size, LONGEST);
    const lines = found.lines.toString('utf8').split('\n');
    return { from: found.from, to: found.to, size, lines: lines.flatMap(toEvent) };
  } finally {
    await handle.close();
  }
}

/** Returns the line itself if it is an event of a known form; what is not is marked as unread for the page. */
function toEvent(line: string): string[] {
  const event = line === '' ? undefined : parseSessionEvent(line);
  if (!event) return [];
  return [event.type === 'log:unread' ? JSON.stringify(event) : line];
}

/** Puts the lines into the answer as they are, because they are JSON already. */
export function formatLogAnswer({ from, to, size, lines }: LogWindow): string {
  const answer: LogAnswer = { from, to, size, events: [] };
  return JSON.stringify(answer).replace('[]', () => `[${lines.join(',')}]`);
}

export async function openLog(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file, WITHOUT_WAITING);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    if (!['ENOENT', 'EACCES', 'ENOTDIR'].includes(errorCodeOf(error) ?? '')) throw error;
  }
  throw new SagaError(
    'not-found',
    'The output file of this session is gone.',
    'Output files are in a folder for temporary files, which the system may empty; the record of the session is kept.',
  );
}
