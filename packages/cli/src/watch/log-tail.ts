import { LineFollower } from '@saga-ai/core/files/line-follower';
import { readLastLines } from '@saga-ai/core/files/lines';
import type { SessionEvent } from '@saga-ai/types/run/event';
import { parseSessionEvent } from '@saga-ai/types/run/session-event';

const KEPT = 500;
/** If the file grows faster than it is read, the next call reads the rest. */
const MOST_PARTS = 16;

/** The last events of an output file. `readOn` reads what was added. */
export class LogTail {
  readonly #follower: LineFollower;
  events: SessionEvent[];

  /** Throws if the file cannot be read. */
  constructor(file: string) {
    const { lines, end } = readLastLines(file, KEPT);
    this.#follower = new LineFollower(file, end);
    this.events = lines.flatMap((line) => parseSessionEvent(line) ?? []);
  }

  /** Reads what was added since the last call. */
  readOn(): void {
    for (let i = 0; i < MOST_PARTS; i++) {
      const lines = this.#follower.readOn();
      if (lines.length === 0) return;
      this.events = [
        ...this.events,
        ...lines.flatMap((line) => parseSessionEvent(line) ?? []),
      ].slice(-KEPT);
    }
  }
}
