import { closeSync, readSync, statSync } from 'node:fs';
import { readLogLine } from '@saga-ai/core/agents/claude/stream/read-log-line';
import { LineSplitter, openToRead, readLastLines } from '@saga-ai/core/files/lines';
import type { SessionEvent } from '@saga-ai/types/run/event';

const KEPT = 500;
const WINDOW = 256 * 1024;

/** The last events of an output file. `readOn` reads what was added. */
export class LogTail {
  readonly #file: string;
  readonly #splitter = new LineSplitter();
  #at: number;
  events: SessionEvent[];

  /** Throws if the file cannot be read. */
  constructor(file: string) {
    this.#file = file;
    const { lines, end } = readLastLines(file, KEPT);
    this.#at = end;
    this.events = lines.flatMap((line) => readLogLine(line));
  }

  /** Reads what was added since the last call. Returns whether anything was added. */
  readOn(): boolean {
    const size = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
    if (size <= this.#at) return false;
    const handle = openToRead(this.#file);
    const chunk = Buffer.alloc(WINDOW);
    try {
      // If the file grows faster than this loop reads, the next call reads the rest.
      for (let i = 0; i < 16; i++) {
        const read = readSync(handle, chunk, 0, WINDOW, this.#at);
        if (read === 0) break;
        this.#at += read;
        const lines = this.#splitter.add(chunk.subarray(0, read));
        this.events.push(...lines.flatMap((line) => readLogLine(line)));
      }
    } finally {
      closeSync(handle);
    }
    this.events = this.events.slice(-KEPT);
    return true;
  }
}
