import { closeSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { LineSplitter, openToRead } from '../files/lines.ts';

const WINDOW = 256 * 1024;

/** Lines as they are written from an offset on, until `isOver` says that no more will come. */
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
      // Asked before reading: what was written up to then is read below.
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
