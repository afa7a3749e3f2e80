import { closeSync, existsSync, fstatSync, readSync } from 'node:fs';
import { LineSplitter, openToRead } from './lines.ts';

const WINDOW = 256 * 1024;

/** Reads the lines of a file on as it grows. A half-written last line is kept until its end is there. */
export class LineFollower {
  readonly #file: string;
  #splitter = new LineSplitter();
  #at: number;

  /** Begins at an offset, which must be the beginning of a line. */
  constructor(file: string, from = 0) {
    this.#file = file;
    this.#at = from;
  }

  /**
   * Returns the next lines that nobody has read yet: some of them if there are many, none if there are none. A file
   * that is missing has no lines. A file that became shorter is another one, and is read from its beginning.
   */
  readOn(): string[] {
    // A file on a disk that does not answer is missing, too, and goes on where it was.
    if (!existsSync(this.#file)) return [];
    const handle = openToRead(this.#file);
    try {
      const { size } = fstatSync(handle);
      if (size < this.#at) {
        this.#splitter = new LineSplitter();
        this.#at = 0;
      }
      const chunk = Buffer.alloc(Math.min(WINDOW, size - this.#at));
      while (chunk.length > 0) {
        const read = readSync(handle, chunk, 0, chunk.length, this.#at);
        if (read === 0) break;
        this.#at += read;
        const lines = this.#splitter.add(chunk.subarray(0, read));
        if (lines.length > 0) return lines;
      }
      return [];
    } finally {
      closeSync(handle);
    }
  }
}
