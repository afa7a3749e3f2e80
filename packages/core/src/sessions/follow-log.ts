import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { LineFollower } from '../files/line-follower.ts';
import { openToRead } from '../files/lines.ts';

/**
 * Yields lines as they are written, starting at an offset, until `isOver` returns true. Throws if the file cannot be
 * read at the start.
 */
export async function* followLines(
  file: string,
  from: number,
  isOver: () => boolean,
): AsyncGenerator<string[]> {
  closeSync(openToRead(file));
  const follower = new LineFollower(file, from);
  for (;;) {
    // Ask before reading, so that everything written until then is read below.
    const isLast = isOver();
    for (let lines = follower.readOn(); lines.length > 0; lines = follower.readOn()) yield lines;
    if (isLast) return;
    await sleep(100);
  }
}
