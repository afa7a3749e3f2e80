import { closeSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { LineSplitter, openToRead } from '../files/lines.ts';

const WINDOW = 256 * 1024;

/** Yields lines as they are written, starting at an offset, until `isOver` returns true. */
export async function* followLines(
  file: string,
  from: number,
  isOver: () => boolean,
): AsyncGenerator<string[]> {
  const handle = openToRead(file);
  const splitter = new LineSplitter();
  const chunk = Buffer.alloc(WINDOW);
  let at = from;
  try {
    for (;;) {
      // Ask before reading, so that everything written until then is read below.
      const isLast = isOver();
      for (;;) {
        const size = readSync(handle, chunk, 0, WINDOW, at);
        if (size === 0) break;
        at += size;
        const lines = splitter.add(chunk.subarray(0, size));
        if (lines.length > 0) yield lines;
      }
      if (isLast) return;
      await sleep(100);
    }
  } finally {
    closeSync(handle);
  }
}
