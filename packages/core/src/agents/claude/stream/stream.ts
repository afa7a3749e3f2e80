import type { AgentStream, EndedProgram, RunVerdict, Told } from '../../agent.ts';
import { estimateCost, isPriceKnown, measureWritten, toTokens } from './price.ts';
import { classifyRun, findReset, type ResultEvent, textOfResult } from './run-result.ts';
import { toFields, translate } from './translate.ts';
import { countTokens, readUsage } from './usage.ts';

/** Reads the client's output of one run: translates it into events and keeps what the verdict needs. */
export class ClaudeStream implements AgentStream {
  signs = 0;
  answer: unknown;
  #sawInit = false;
  /** The working folder that the client reports. */
  #cwd: string | undefined;
  #result: ResultEvent | undefined;
  #lastError: string | undefined;
  #resetsAt: number | undefined;
  #resultTokens = 0;
  /** What each message used, by the id of the message. A message comes in several lines. */
  readonly #spentOf = new Map<string, { tokens: number; costUsd: number; written: number }>();
  /** The cost that the client itself reported. */
  #costUsd: number | undefined;
  #hasUnknownPrice = false;
  readonly #earlierCostUsd: number;
  #contextTokens = 0;

  /** `earlierCostUsd`: what the client counts of earlier runs of the same conversation. */
  constructor(earlierCostUsd = 0) {
    this.#earlierCostUsd = earlierCostUsd;
  }

  get contextTokens(): number {
    return this.#contextTokens;
  }

  get tokens(): number {
    let live = 0;
    for (const { tokens } of this.#spentOf.values()) live += tokens;
    return Math.max(live, this.#resultTokens);
  }

  get costUsd(): number {
    return this.#costUsd ?? this.#estimate();
  }

  get isCostEstimated(): boolean {
    return this.#costUsd === undefined && this.costUsd > 0;
  }

  get isCostUnknown(): boolean {
    return this.#costUsd === undefined && this.#hasUnknownPrice;
  }

  read(line: string): readonly Told[] {
    // A piece of an answer, or a ping: only a sign of life. The whole message follows in a line of its own.
    if (line.startsWith(PIECE)) {
      this.signs += 1;
      return [];
    }
    const event = parseLine(line);
    if (!event) {
      return line.trim() === '' ? [] : [{ type: 'run:noise', text: line.slice(0, 2000) }];
    }
    if (SIGNS.includes(String(event.type))) this.signs += 1;
    this.#note(event);
    const told = translate(event, this.#cwd);
    for (const it of told) this.#noteTold(it);
    return event.type === 'assistant' ? told.map((it) => this.#withTokens(it)) : told;
  }

  classify(ended: EndedProgram): RunVerdict {
    const result = this.#result ? { result: this.#result } : {};
    const lastError = this.#lastError === undefined ? {} : { lastError: this.#lastError };
    const verdict = classifyRun({ ...ended, sawInit: this.#sawInit, ...result, ...lastError });
    const resetsAt = this.#resetsAt ?? findReset(textOfResult(this.#result ?? {}));
    return { ...verdict, resetsAt };
  }

  /** Notes what SAGA's events leave out: usage, and the error that a message is about. */
  #note(event: ReturnType<typeof toFields>): void {
    if (event.type === 'system' && typeof event.cwd === 'string') this.#cwd = event.cwd;
    if (event.type === 'assistant') {
      const { id, usage, model, content } = toFields(event.message);
      const used = readUsage(usage);
      // A subagent has a conversation of its own.
      if (typeof event.parent_tool_use_id !== 'string') this.#contextTokens = countTokens(used);
      if (typeof id === 'string') {
        const name = typeof model === 'string' ? model : '';
        const tokens = countTokens(used);
        // The client prints a message before the API has said how many tokens it has.
        const written = (this.#spentOf.get(id)?.written ?? 0) + measureWritten(content);
        const output = Math.max(used.output, toTokens(written));
        const costUsd = estimateCost({ ...used, output }, name);
        this.#spentOf.set(id, { tokens, costUsd, written });
        if (tokens > 0 && !isPriceKnown(name)) this.#hasUnknownPrice = true;
      }
      if (typeof event.error === 'string') this.#lastError = event.error;
    }
    if (event.type === 'result') {
      this.#result = event as ResultEvent;
      this.answer = event.structured_output;
      // The cost covers the whole run; the tokens cover only the part since the previous result.
      this.#resultTokens += countTokens(readUsage(event.usage));
    }
  }

  #noteTold(told: Told): void {
    if (told.type === 'run:init') this.#sawInit = true;
    if (told.type === 'run:retry') this.#lastError = told.error;
    if (told.type === 'run:outcome' && told.costUsd !== undefined) {
      const own = Math.max(0, told.costUsd - this.#earlierCostUsd);
      this.#costUsd = Math.max(this.#costUsd ?? 0, own);
    }
    if (told.type === 'run:rate-limit' && told.isReached) {
      this.#lastError = 'usage_limit';
      this.#resetsAt = told.resetsAt ?? this.#resetsAt;
    }
  }

  #withTokens(told: Told): Told {
    const hasTokens =
      told.type === 'run:text' || told.type === 'run:tool' || told.type === 'run:event';
    if (!hasTokens) return told;
    const unknown = this.isCostUnknown ? { isCostUnknown: true } : {};
    const costUsd = told.type === 'run:tool' ? { costUsd: this.costUsd, ...unknown } : {};
    return { ...told, tokens: this.tokens, ...costUsd };
  }

  /** Estimates the cost of the run, rounded to a hundredth of a cent. */
  #estimate(): number {
    let sum = 0;
    for (const { costUsd } of this.#spentOf.values()) sum += costUsd;
    return Math.round(sum * 10_000) / 10_000;
  }
}

/**
 * Other lines are no sign of life: the client prints every half minute that a tool still runs, even if the tool hangs,
 * and it acknowledges every message at once.
 */
const SIGNS = ['assistant', 'user', 'system', 'result', 'rate_limit_event'];

const PIECE = '{"type":"stream_event"';

function parseLine(line: string): ReturnType<typeof toFields> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? toFields(value) : undefined;
  } catch {
    // Warnings of the client are plain text.
    return undefined;
  }
}
