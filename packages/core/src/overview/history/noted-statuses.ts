import { parseSessionEvent } from '@saga-ai/types/run/session-event';
import { SagaError } from '../../errors.ts';
import { readOn } from '../../files/lines.ts';
import { openLog } from '../../records/log-window.ts';
import type { NotedStatus } from './derive-history.ts';

/** A line that is longer was not written by `task:status`. */
const LONGEST = 1024 * 1024;
const LINE_BREAK = 10;
/** As workers write it; whatever else holds these words is told apart by reading the line. */
const MARK = Buffer.from('"type":"task:status"');

interface Read {
  /** Everything before is known. */
  to: number;
  found: NotedStatus[];
}

/** What workers noted in their output files: each is read once, and later only what was added. */
export class NotedStatuses {
  readonly #files = new Map<string, Read>();

  /** Of a file that is gone, what was read before: they lie in a folder for temporary files. */
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
    // A file that became shorter is another one.
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
