import { parseSessionEvent } from '@saga-ai/types/run/session-event';
import { SagaError } from '../../errors.ts';
import { readOn } from '../../files/lines.ts';
import { openLog } from '../../records/log-window.ts';
import type { NotedStatus } from './derive-history.ts';

/** A longer line is not a `task:status` event. */
const LONGEST = 1024 * 1024;
const LINE_BREAK = 10;
/** The text as workers write it. Other lines that contain it are ruled out by parsing the line. */
const MARK = Buffer.from('"type":"task:status"');

interface Read {
  /** The offset up to which the file was read. */
  to: number;
  found: NotedStatus[];
}

/** Reads status changes from output files. Each file is read once, and later only what was appended. */
export class NotedStatuses {
  readonly #files = new Map<string, Read>();

  /**
   * Returns what was read before if the file is missing: output files are in a folder for temporary
   * files.
   */
  async read(file: string, story: string, size: number | null): Promise<readonly NotedStatus[]> {
    const known = this.#files.get(file) ?? { to: 0, found: [] };
    if (size === null || size === known.to) return known.found;
    const read = await readMore(file, story, known);
    this.#files.set(file, read);
    return read.found;
  }
}

async function readMore(file: string, story: string, known: Read): Promise<Read> {
  try {
    await using handle = await openLog(file);
    const { size } = await handle.stat();
    // A file that became shorter is a new file.
    const read: Read =
      size < known.to ? { to: 0, found: [] } : { ...known, found: [...known.found] };
    for await (const { lines, to } of readOn(handle, read.to, size, LONGEST)) {
      read.found.push(...findStatuses(lines, story));
      read.to = to;
    }
    return read;
  } catch (error) {
    if (error instanceof SagaError) return known;
    throw error;
  }
}

function findStatuses(bytes: Buffer, story: string): NotedStatus[] {
  const found: NotedStatus[] = [];
  for (let at = bytes.indexOf(MARK); at !== -1; ) {
    const end = bytes.indexOf(LINE_BREAK, at);
    const start = bytes.lastIndexOf(LINE_BREAK, at) + 1;
    const event = parseSessionEvent(bytes.toString('utf8', start, end));
    if (event?.type === 'task:status') {
      const time = Date.parse(event.time);
      found.push({ story, task: event.task, time, isCompleted: event.to === 'completed' });
    }
    at = bytes.indexOf(MARK, end);
  }
  return found;
}
