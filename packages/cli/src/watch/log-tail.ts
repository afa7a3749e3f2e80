import { readLogLine } from '@saga-ai/core/agents/claude/stream/read-log-line';
import { LineFollower } from '@saga-ai/core/files/line-follower';
import { readLastLines } from '@saga-ai/core/files/lines';
import type { SessionEvent } from '@saga-ai/types/run/event';

const KEPT = 500;
/** A file that grows faster than it is read is read on next time. */
const MOST_PARTS = 16;

/** The last events of an output file, read on as it grows. */
export class LogTail {
  readonly #follower: LineFollower;
  events: SessionEvent[];

  /** Throws if the file cannot be read. */
  constructor(file: string) {
    const { lines, end } = readLastLines(file, KEPT);
    this.#follower = new LineFollower(file, end);
    this.events = lines.flatMap((line) => readLogLine(line));
  }

  /** Reads what was written since. */
  readOn(): void {
    for (let i = 0; i < MOST_PARTS; i++) {
      const lines = this.#follower.readOn();
      if (lines.length === 0) return;
      this.events = [...this.events, ...lines.flatMap((line) => readLogLine(line))].slice(-KEPT);
    }
  }
}
