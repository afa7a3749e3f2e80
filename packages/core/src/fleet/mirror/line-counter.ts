import { closeSync, existsSync, fstatSync, readSync } from 'node:fs';
import { countBreaks, LINE_BREAK, openToRead } from '../../files/lines.ts';

const CHUNK = 256 * 1024;

export interface Counted {
  /** The number of whole lines. */
  lines: number;
  /** The offset behind the last whole line. */
  end: number;
  /** The size of the file. It is greater than `end` if a part of a line was written last. */
  size: number;
}

const NONE: Counted = { lines: 0, end: 0, size: 0 };

/** Counts the lines of files that only grow. If a file was counted before, only its new part is read. */
export class LineCounter {
  readonly #counted = new Map<string, Counted>();

  /** A file that does not exist has no lines. */
  count(file: string): Counted {
    const counted = existsSync(file) ? countOn(file, this.#counted.get(file) ?? NONE) : NONE;
    this.#counted.set(file, counted);
    return counted;
  }
}

function countOn(file: string, before: Counted): Counted {
  const handle = openToRead(file);
  try {
    const { size } = fstatSync(handle);
    // A file that is shorter than before is another file.
    let { lines, end } = size < before.end ? NONE : before;
    const chunk = Buffer.alloc(Math.min(CHUNK, size - end));
    for (let at = end; at < size; ) {
      const read = chunk.subarray(0, readSync(handle, chunk, 0, chunk.length, at));
      if (read.length === 0) break;
      lines += countBreaks(read);
      if (read.includes(LINE_BREAK)) end = at + read.lastIndexOf(LINE_BREAK) + 1;
      at += read.length;
    }
    return { lines, end, size };
  } finally {
    closeSync(handle);
  }
}
