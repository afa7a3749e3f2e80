import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import { toSystemError } from '../errors.ts';

const WINDOW = 256 * 1024;

/** The last lines of a file of any size; only as much is read as they take. */
export function readLastLines(file: string, wanted: number): { lines: string[]; end: number } {
  const handle = open(file);
  try {
    const end = fstatSync(handle).size;
    let start = end;
    let text = Buffer.alloc(0);
    while (start > 0 && countLines(text) <= wanted) {
      const size = Math.min(WINDOW, start);
      const chunk = Buffer.alloc(size);
      start -= size;
      readSync(handle, chunk, 0, size, start);
      text = Buffer.concat([chunk, text]);
    }
    const lines = text.toString('utf8').split('\n');
    if (start > 0) lines.shift();
    // What stands behind the last line break is not a whole line yet.
    const rest = lines.pop() ?? '';
    return { lines: lines.slice(-wanted), end: end - Buffer.byteLength(rest) };
  } finally {
    closeSync(handle);
  }
}

/** Lines as they are written from an offset on, until `isOver` says that no more will come. */
export async function* followLines(
  file: string,
  from: number,
  isOver: () => boolean,
): AsyncGenerator<string[]> {
  const handle = open(file);
  const decoder = new StringDecoder('utf8');
  const chunk = Buffer.alloc(WINDOW);
  let at = from;
  let rest = '';
  try {
    for (;;) {
      // Asked before reading: what was written up to then is read below.
      const isLast = isOver();
      for (;;) {
        const size = readSync(handle, chunk, 0, WINDOW, at);
        if (size === 0) break;
        at += size;
        const lines = (rest + decoder.write(chunk.subarray(0, size))).split('\n');
        rest = lines.pop() ?? '';
        if (lines.length > 0) yield lines;
      }
      if (isLast) return;
      await sleep(100);
    }
  } finally {
    closeSync(handle);
  }
}

function open(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (error) {
    throw toSystemError(error, file);
  }
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}
