import type { EventType, RunEvent } from '@saga-ai/types/run/event';
import { parseSessionEvent } from '@saga-ai/types/run/session-event';
import { SagaError } from '../errors.ts';
import { readOn } from '../files/lines.ts';
import { openLog } from './log-window.ts';

/** Longer lines are skipped: the events that are looked for are short. */
const LONGEST = 1024 * 1024;
const LINE_BREAK = 10;

interface Read<T extends EventType> {
  /** The offset up to which the file was read. */
  to: number;
  found: RunEvent<T>[];
}

/** Reads events of some types from output files. Each file is read once, and later only what was appended. */
export class NotedEvents<T extends EventType> {
  readonly #marks: readonly Buffer[];
  readonly #types: ReadonlySet<string>;
  readonly #files = new Map<string, Read<T>>();

  constructor(types: readonly T[]) {
    this.#types = new Set(types);
    // The text as workers write it. Other lines that contain it are ruled out by parsing the line.
    this.#marks = types.map((type) => Buffer.from(`"type":"${type}"`));
  }

  /**
   * Returns what was read before if the file is missing: output files are in a folder for temporary
   * files.
   */
  async read(file: string, size: number | null): Promise<readonly RunEvent<T>[]> {
    const known = this.#files.get(file) ?? { to: 0, found: [] };
    if (size === null || size === known.to) return known.found;
    const read = await this.#readMore(file, known);
    this.#files.set(file, read);
    return read.found;
  }

  async #readMore(file: string, known: Read<T>): Promise<Read<T>> {
    try {
      await using handle = await openLog(file);
      const { size } = await handle.stat();
      // A file that became shorter is a new file.
      const read: Read<T> =
        size < known.to ? { to: 0, found: [] } : { ...known, found: [...known.found] };
      for await (const { lines, to } of readOn(handle, read.to, size, LONGEST)) {
        read.found.push(...this.#find(lines));
        read.to = to;
      }
      return read;
    } catch (error) {
      if (error instanceof SagaError) return known;
      throw error;
    }
  }

  #find(bytes: Buffer): RunEvent<T>[] {
    const lines = new Set<number>();
    for (const mark of this.#marks) {
      for (let at = bytes.indexOf(mark); at !== -1; ) {
        lines.add(bytes.lastIndexOf(LINE_BREAK, at) + 1);
        const end = bytes.indexOf(LINE_BREAK, at);
        at = bytes.indexOf(mark, end);
      }
    }
    return [...lines]
      .sort((a, b) => a - b)
      .flatMap((start) => {
        const text = bytes.toString('utf8', start, bytes.indexOf(LINE_BREAK, start));
        const event = parseSessionEvent(text);
        return event && this.#types.has(event.type) ? [event as RunEvent<T>] : [];
      });
  }
}
