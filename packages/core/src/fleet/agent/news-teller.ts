import { LineFollower } from '../../files/line-follower.ts';
import type { Paths } from '../../project/paths.ts';
import { loadSessionRecord } from '../../records/session-records.ts';
import type { NewsBoard } from '../engine.ts';

/** How long to wait for further events before all of them are told together. */
const TOGETHER_MS = 100;
/** An engine that is away is tried again after this time. */
const AGAIN_MS = 2000;
/** The most that is told at once. */
const MOST_LINES = 500;

export interface TellerPlace {
  news: NewsBoard;
  repositoryKey: string;
  machine: string;
  paths: Paths;
  story: string;
  session: string;
  outputFile: string;
}

/**
 * Tells the engine what a session writes into its output file and its record. The file is the memory: lines that could
 * not be told yet are read again later.
 */
export class NewsTeller {
  readonly #place: TellerPlace;
  readonly #output: LineFollower;
  /** Lines that were read and not told yet. */
  #waiting: string[] = [];
  /** The number of lines that were told. */
  #told = 0;
  #lastRecord = '';
  #timer: NodeJS.Timeout | undefined;
  #telling: Promise<void> | undefined;
  #isOver = false;

  constructor(place: TellerPlace) {
    this.#place = place;
    this.#output = new LineFollower(place.outputFile);
  }

  /** Says that the session may have written something. */
  wake(afterMs = TOGETHER_MS): void {
    if (this.#isOver) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#tell().catch(() => this.wake(AGAIN_MS));
    }, afterMs);
  }

  /** Tells all that is left. Throws if the engine is away. */
  async finish(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#telling?.catch(() => {});
    await this.#tell();
  }

  #tell(): Promise<void> {
    this.#telling = (this.#telling ?? Promise.resolve())
      .catch(() => {})
      .then(() => this.#tellAll());
    return this.#telling;
  }

  async #tellAll(): Promise<void> {
    const { news, repositoryKey, machine, story, session, paths } = this.#place;
    for (;;) {
      if (this.#waiting.length === 0) this.#waiting = this.#output.readOn();
      const lines = this.#waiting.slice(0, MOST_LINES);
      const record = loadSessionRecord(paths, session);
      const seen = JSON.stringify(record ?? null);
      if (lines.length === 0 && seen === this.#lastRecord) return;
      const told = { session, story, machine, lines, from: this.#told };
      await news.tell(repositoryKey, { ...told, record });
      this.#lastRecord = seen;
      this.#told += lines.length;
      this.#waiting = this.#waiting.slice(lines.length);
    }
  }
}
