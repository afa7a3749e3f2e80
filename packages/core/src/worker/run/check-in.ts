import type { Sign } from '@saga-ai/types/run/check-in-events';
import type { Emit } from '@saga-ai/types/run/event';
import { formatDuration } from '@saga-ai/types/words/amounts';
import { LONGEST_TIMER_MS } from '../../processes/deadline.ts';
import {
  beginVigil,
  findSign,
  judgeCheckIn,
  type RunLook,
  type Used,
  type Vigil,
} from '../decide/signs-of-life.ts';

export interface CheckInOptions {
  everyMs: number;
  misses: number;
  /** How many lines of the agent so far show that it does something. */
  countLines(): number;
  /** Measures the processes of the run. */
  measure(): Map<string, Used>;
  /** Whether a file of the worktree changed since a time. */
  hasChangedFiles(since: number): Promise<boolean>;
  ask(question: string): void;
  end(detail: string): void;
  emit: Emit;
}

/** The shortest time between two looks. In less time a look shows too little. */
const SHORTEST_MS = 1000;

/**
 * Looks at a run again and again. A run that shows no sign of life is asked what it waits for; if it stays silent,
 * it is ended (signs-of-life.ts decides).
 */
export class CheckIns implements Disposable {
  readonly #options: CheckInOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #everyMs: number;
  #vigil: Vigil;
  #last: RunLook;
  #waitsUntil = 0;
  #call = '';
  #isLooking = false;

  constructor(options: CheckInOptions) {
    this.#options = options;
    this.#vigil = beginVigil(Date.now());
    this.#last = { at: Date.now(), lines: 0, processes: new Map() };
    const { everyMs } = options;
    this.#everyMs = Math.min(Math.max(everyMs, SHORTEST_MS), LONGEST_TIMER_MS);
    this.#timer = setInterval(() => void this.#checkIn(), this.#everyMs);
  }

  /** Notes that the agent said that it waits, such as before it asks the model again. */
  waitsFor(ms: number): void {
    this.#waitsUntil = Date.now() + ms;
  }

  /** Notes in words which tool the agent called. If the run is ended, this says what it was doing. */
  calls(summary: string): void {
    this.#call = summary;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  async #checkIn(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const before = this.#last;
      this.#last = this.#look();
      const sign = findSign(before, this.#last) ?? (await this.#findChangedFiles(before.at));
      this.#judge(sign);
    } catch {
      // The look failed, so it saw nothing. That does not prove that the run is silent.
    } finally {
      this.#isLooking = false;
    }
  }

  #look(): RunLook {
    const processes = this.#options.measure();
    return {
      at: Date.now(),
      lines: this.#options.countLines(),
      processes,
      waitsUntil: this.#waitsUntil,
    };
  }

  async #findChangedFiles(since: number): Promise<Sign | undefined> {
    return (await this.#options.hasChangedFiles(since)) ? 'files' : undefined;
  }

  #judge(sign: Sign | undefined): void {
    const { misses, emit, ask, end } = this.#options;
    const everyMs = this.#everyMs;
    // The agent may have printed something during the search for changed files.
    const isLate = this.#options.countLines() > this.#last.lines;
    const found = sign ?? (isLate ? 'output' : undefined);
    const judged = judgeCheckIn(this.#vigil, found, this.#last.at, { everyMs, misses });
    this.#vigil = judged.vigil;
    const { aliveAt } = judged.vigil;
    const since = new Date(aliveAt).toISOString();
    switch (judged.step) {
      case 'wait':
        // An event in the output file shows that there was a check-in.
        if (found !== undefined && found !== 'output') emit('run:quiet', { sign: found });
        break;
      case 'alive':
        emit('run:alive', { sign: found ?? 'output' });
        break;
      case 'ask':
        emit('run:silent', { since, call: this.#call === '' ? undefined : this.#call });
        ask(buildQuestion(this.#last.at - aliveAt));
        break;
      case 'end':
        end(describeStall(this.#last.at - aliveAt, this.#call));
        break;
    }
  }
}

function buildQuestion(silentMs: number): string {
  return [
    `SAGA asks: for ${formatDuration(silentMs)} this run has shown no sign of life. What are you waiting for?`,
    'If a command hung, do not start it in the same way again: give it a time limit, or the input that it waits for.',
    'If you need a person, write a Blocker into the journal. Otherwise go on with your tasks.',
  ].join('\n');
}

function describeStall(silentMs: number, call: string): string {
  const during = call === '' ? 'before its first tool call' : `the last tool call was ${call}`;
  return `no sign of life for ${formatDuration(silentMs)}; ${during}`;
}
