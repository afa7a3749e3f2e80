import type { Emit } from '@saga-ai/types/run/event';
import { armDeadline } from '../../processes/deadline.ts';

const EVERY_MS = 1000;
const SHOWN_LINES = 10;
const LINE_LENGTH = 200;

export interface FeedRequest {
  command: string;
  endsBy: string;
  emit: Emit;
  /** After so many milliseconds without a line the command is reported as silent. */
  patienceMs: number;
}

/**
 * Reports what a command prints while it runs, at most once a second and a few lines at a time, so that an
 * output of any length fits into the output file. Also reports when the command prints nothing for long.
 */
export class OutputFeed implements Disposable {
  private readonly request: FeedRequest;
  private lines: string[] = [];
  private skipped = 0;
  private pause: NodeJS.Timeout | undefined;
  private silence: Disposable | undefined;
  private lastLineAt = Date.now();

  constructor(request: FeedRequest) {
    this.request = request;
    this.listen();
  }

  add(line: string): void {
    this.lines.push(line.slice(0, LINE_LENGTH));
    if (this.lines.length > SHOWN_LINES) {
      this.lines.shift();
      this.skipped += 1;
    }
    this.lastLineAt = Date.now();
    this.listen();
    if (this.pause === undefined) this.tell();
  }

  /** Reports the last lines. */
  [Symbol.dispose](): void {
    this.silence?.[Symbol.dispose]();
    clearTimeout(this.pause);
    this.pause = undefined;
    if (this.lines.length > 0) this.emitLines();
  }

  private tell(): void {
    this.emitLines();
    this.pause = setTimeout(() => {
      this.pause = undefined;
      if (this.lines.length > 0) this.tell();
    }, EVERY_MS);
  }

  private emitLines(): void {
    const { lines, skipped } = this;
    this.request.emit('gate:output', { lines, skipped: skipped > 0 ? skipped : undefined });
    this.lines = [];
    this.skipped = 0;
  }

  private listen(): void {
    const { command, endsBy, emit, patienceMs } = this.request;
    this.silence?.[Symbol.dispose]();
    this.silence = armDeadline(this.lastLineAt + patienceMs, undefined, () => {
      const since = new Date(this.lastLineAt).toISOString();
      emit('gate:silent', { command, since, endsBy });
    });
  }
}
