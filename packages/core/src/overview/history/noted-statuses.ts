import { parseSessionEvent } from '@saga-ai/types/run/session-event';
import { SagaError } from '../../errors.ts';
import { openLog } from '../../records/log-window.ts';
import type { NotedStatus } from './derive-history.ts';

const CHUNK = 1024 * 1024;
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
    const read = await readOn(file, story, known);
    this.#files.set(file, read);
    return read.found;
  }
}

async function readOn(file: string, story: string, known: Read): Promise<Read> {
  try {
    await using handle = await openLog(file);
    const { size } = await handle.stat();
    // A file that became shorter is another one.
    let { to, found } = size < known.to ? { to: 0, found: [] } : known;
    const chunk = Buffer.alloc(Math.min(CHUNK, size - to));
    while (to < size) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, to);
      if (bytesRead === 0) break;
      const bytes = chunk.subarray(0, bytesRead);
      const end = bytes.lastIndexOf(LINE_BREAK) + 1;
      // The last line may not be whole yet; a longer one than a chunk is none of ours.
      if (end === 0 && bytesRead < CHUNK) break;
      found = [...found, ...findStatuses(bytes.subarray(0, end), story)];
      to += end === 0 ? bytesRead : end;
    }
    return { to, found };
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
