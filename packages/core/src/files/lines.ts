import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { toSystemError } from '../errors.ts';

/**
 * Reads whole lines from files that grow while they are read. Text after the last line break is not a
 * line yet. Every reader takes time in proportion to what it reads, however long a line is.
 */
export const LINE_BREAK = 10;
const CHUNK = 256 * 1024;

/** Splits chunks of bytes into lines. A chunk may end anywhere, even inside a character. */
export class LineSplitter {
  #parts: Buffer[] = [];

  /** Returns the lines that this chunk completes. The chunk may be reused afterwards. */
  add(chunk: Buffer): string[] {
    const end = chunk.lastIndexOf(LINE_BREAK);
    // The parts of a long line are joined once, at its end.
    if (end === -1) {
      if (chunk.length > 0) this.#parts.push(Buffer.from(chunk));
      return [];
    }
    const lines = Buffer.concat([...this.#parts, chunk.subarray(0, end)]);
    this.#parts = end + 1 < chunk.length ? [Buffer.from(chunk.subarray(end + 1))] : [];
    return lines.toString('utf8').split('\n');
  }

  /** Returns the text after the last line break. */
  rest(): string {
    return Buffer.concat(this.#parts).toString('utf8');
  }
}

/** Returns the last lines of a file and the offset of their end. Reads only as much as needed. */
export function readLastLines(file: string, wanted: number): { lines: string[]; end: number } {
  const handle = openToRead(file);
  try {
    const size = fstatSync(handle).size;
    const chunks: Buffer[] = [];
    let start = size;
    // Read one more line break than wanted: the break before the first line shows that the line is whole.
    for (let breaks = 0; start > 0 && breaks <= wanted; ) {
      const chunk = Buffer.alloc(Math.min(CHUNK, start));
      start -= chunk.length;
      readSync(handle, chunk, 0, chunk.length, start);
      breaks += countBreaks(chunk);
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks.reverse());
    const end = bytes.lastIndexOf(LINE_BREAK) + 1;
    const lines = end === 0 ? [] : bytes.toString('utf8', 0, end - 1).split('\n');
    if (start > 0) lines.shift();
    return { lines: lines.slice(-wanted), end: start + end };
  } finally {
    closeSync(handle);
  }
}

export function openToRead(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (error) {
    throw toSystemError(error, file);
  }
}

export function countBreaks(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_BREAK); at !== -1; at = bytes.indexOf(LINE_BREAK, at + 1))
    count++;
  return count;
}

/**
 * Yields the lines of a file from an offset on, as bytes that end with a line break, and the offset of
 * their end. A line longer than a chunk is skipped.
 */
export async function* readOn(
  handle: FileHandle,
  from: number,
  size: number,
  longest: number,
): AsyncGenerator<{ lines: Buffer; to: number }> {
  const chunk = Buffer.alloc(Math.min(longest, size - from));
  for (let at = from; at < size; ) {
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
    const end = chunk.subarray(0, bytesRead).lastIndexOf(LINE_BREAK) + 1;
    if (end === 0 && bytesRead < longest) return;
    at += end === 0 ? bytesRead : end;
    yield { lines: chunk.subarray(0, end), to: at };
  }
}

export interface LineWindow {
  from: number;
  to: number;
  /** Whole lines, each with its line break. */
  lines: Buffer;
}

/**
 * Returns the whole lines in a part of a file. Reads no other part. A window that begins inside a line
 * begins with the next line. If it contains no whole line, it is the line around it; a line longer
 * than `longest` is skipped.
 */
export async function readLineWindow(
  handle: FileHandle,
  [begin, end]: readonly [begin: number, end: number],
  size: number,
  longest: number,
): Promise<LineWindow> {
  // The previous byte shows whether a line begins here.
  const before = Math.max(0, begin - 1);
  const bytes = await readBytes(handle, before, end);
  const isAtLine = begin === 0 || bytes[0] === LINE_BREAK;
  const found = bytes.indexOf(LINE_BREAK, begin - before);
  const firstEnd = found === -1 ? undefined : before + found + 1;
  const start = isAtLine ? begin : (firstEnd ?? end);
  const last = before + bytes.lastIndexOf(LINE_BREAK) + 1;
  if (last > start) {
    return { from: start, to: last, lines: bytes.subarray(start - before, last - before) };
  }
  const from = isAtLine ? begin : await findLineStart(handle, begin);
  const to = firstEnd ?? (await findLineEnd(handle, end, size));
  if (to === undefined) return { from, to: from, lines: Buffer.alloc(0) };
  if (to - from > longest) return { from: to, to, lines: Buffer.alloc(0) };
  return { from, to, lines: await readBytes(handle, from, to) };
}

/** Returns the offset where the line around `at` begins. */
async function findLineStart(handle: FileHandle, at: number): Promise<number> {
  for (let end = at; end > 0; ) {
    const start = Math.max(0, end - CHUNK);
    const found = (await readBytes(handle, start, end)).lastIndexOf(LINE_BREAK);
    if (found !== -1) return start + found + 1;
    end = start;
  }
  return 0;
}

/**
 * Returns the offset after the line around a place, including its line break, or undefined if the line
 * is not complete yet.
 */
async function findLineEnd(
  handle: FileHandle,
  at: number,
  size: number,
): Promise<number | undefined> {
  for (let start = at; start < size; start += CHUNK) {
    const bytes = await readBytes(handle, start, Math.min(start + CHUNK, size));
    const found = bytes.indexOf(LINE_BREAK);
    if (found !== -1) return start + found + 1;
  }
  return undefined;
}

async function readBytes(handle: FileHandle, from: number, to: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.max(0, to - from));
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
  return buffer.subarray(0, bytesRead);
}
