import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { toSystemError } from '../errors.ts';

const WINDOW = 256 * 1024;

/** The last lines of a file of any size; only as much is read as they take. */
export function readLastLines(file: string, wanted: number): { lines: string[]; end: number } {
  const handle = openToRead(file);
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

export function openToRead(file: string): number {
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
