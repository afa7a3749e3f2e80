import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { parseSessionEvent } from '@saga-ai/types/run/session-event';
import type { LogAnswer } from '@saga-ai/types/screens/dashboard';
import { readOld } from '../agents/claude/read-log-line.ts';
import { errorCodeOf, SagaError } from '../errors.ts';

const USUAL = 128 * 1024;
const MOST = 1024 * 1024;
/** A single line may be longer than a window; beyond this it is passed over. */
const LONGEST = 8 * 1024 * 1024;
const LINE_BREAK = 10;
/** A pipe in its place must not be waited for. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

export interface LogWindow {
  from: number;
  to: number;
  size: number;
  /** Each is a whole event that this version can read. */
  lines: string[];
}

/**
 * Whole lines of a part of an output file, of which no other part is read. A window that begins
 * inside a line begins with the next one; where it holds no whole line, it grows until it does.
 */
export async function loadLogWindow(
  file: string,
  { from = 0, bytes = USUAL }: { from?: number | undefined; bytes?: number | undefined },
): Promise<LogWindow> {
  const handle = await openLog(file);
  try {
    const { size } = await handle.stat();
    const wanted = Math.min(Math.max(1, bytes), MOST);
    const begin = from < 0 ? Math.max(0, size - wanted) : Math.min(from, size);
    const found = await findLines(handle, begin, Math.min(begin + wanted, size), size);
    const lines = found.text.toString('utf8').split('\n');
    return { from: found.from, to: found.to, size, lines: lines.flatMap(toEvents) };
  } finally {
    await handle.close();
  }
}

/** Mostly the line itself: only what this version would not read so is written anew. */
function toEvents(line: string): string[] {
  const event = line === '' ? undefined : parseSessionEvent(line);
  if (!event) return [];
  return event.type === 'log:unread' ? readOld(event).map((it) => JSON.stringify(it)) : [line];
}

/** Lines are JSON already: they are put into the answer as they are. */
export function formatLogAnswer({ from, to, size, lines }: LogWindow): string {
  const answer: LogAnswer = { from, to, size, events: [] };
  return JSON.stringify(answer).replace('[]', () => `[${lines.join(',')}]`);
}

async function findLines(handle: FileHandle, begin: number, end: number, size: number) {
  // The byte before tells whether a line begins here.
  const before = Math.max(0, begin - 1);
  const text = await read(handle, before, end);
  const isAtLine = begin === 0 || text[0] === LINE_BREAK;
  const found = text.indexOf(LINE_BREAK, begin - before);
  const firstEnd = found === -1 ? undefined : before + found + 1;
  const start = isAtLine ? begin : (firstEnd ?? end);
  const last = before + text.lastIndexOf(LINE_BREAK) + 1;
  if (last > start) {
    return { from: start, to: last, text: text.subarray(start - before, last - before) };
  }
  // Only a part of one long line: the whole of it, if it is finished.
  const from = isAtLine ? begin : await findBefore(handle, begin);
  const to = firstEnd ?? (await findAfter(handle, end, size));
  if (to === undefined) return { from, to: from, text: Buffer.alloc(0) };
  if (to - from > LONGEST) return { from: to, to, text: Buffer.alloc(0) };
  return { from, to, text: await read(handle, from, to) };
}

/** Where the line around a place begins. */
async function findBefore(handle: FileHandle, at: number): Promise<number> {
  for (let end = at; end > 0; ) {
    const start = Math.max(0, end - USUAL);
    const found = (await read(handle, start, end)).lastIndexOf(LINE_BREAK);
    if (found !== -1) return start + found + 1;
    end = start;
  }
  return 0;
}

/** Where the line around a place ends, its line break included; nothing if it is not written yet. */
async function findAfter(
  handle: FileHandle,
  at: number,
  size: number,
): Promise<number | undefined> {
  for (let start = at; start < size; start += USUAL) {
    const found = (await read(handle, start, Math.min(start + USUAL, size))).indexOf(LINE_BREAK);
    if (found !== -1) return start + found + 1;
  }
  return undefined;
}

async function read(handle: FileHandle, from: number, to: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.max(0, to - from));
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
  return buffer.subarray(0, bytesRead);
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
    'Output files lie in a folder for temporary files; the record of the session is kept.',
  );
}
