import { randomUUID } from 'node:crypto';
import type { Emit } from '@saga-ai/types/run/event';
import { formatForRun, type Message } from '@saga-ai/types/run/message';
import type { TalkWire } from '../../agents/wires.ts';
import { messageOf } from '../../errors.ts';
import type { StartedProgram } from '../../processes/run.ts';

/** The source of people's messages, which is also told when a run has read one. */
export interface MessageSource {
  /** The messages that wait, oldest first. */
  list(): Message[];
  onHeard(message: Message): void;
  /** Calls back when a message may have come. */
  watch(onChange: () => void): Disposable;
}

export interface TalkOptions {
  wire: TalkWire;
  program: Pick<StartedProgram, 'write' | 'closeInput' | 'hasEnded'>;
  source: MessageSource | undefined;
  emit: Emit;
}

/**
 * The conversation with one run: its prompt, and what people say while it works. The agent takes a message up
 * with the result of its next tool call, or after its turn. The conversation ends when a turn has ended and
 * everything that was sent was taken up.
 */
export class Talk {
  readonly #options: TalkOptions;
  /** Messages that were sent and that the agent has not read yet. The prompt is among them as undefined. */
  readonly #sent = new Map<string, Message | undefined>();
  readonly #known = new Set<string>();
  #isClosed = false;
  #hasFailed = false;

  constructor(options: TalkOptions) {
    this.#options = options;
  }

  begin(prompt: string): void {
    const id = randomUUID();
    this.#sent.set(id, undefined);
    this.#options.program.write(this.#options.wire.message(id, prompt));
  }

  /** Says something in SAGA's own name. */
  say(text: string): void {
    if (!this.#isClosed && !this.#options.program.hasEnded()) this.begin(text);
  }

  /** Sends the waiting messages. A message that comes after the end stays where it is. */
  deliver(): void {
    const { source, wire, program, emit } = this.#options;
    if (this.#isClosed || program.hasEnded() || !source) return;
    for (const message of this.#orElse([], () => source.list())) {
      const { id, from, text, interrupts } = message;
      if (this.#known.has(id)) continue;
      this.#known.add(id);
      this.#sent.set(id, message);
      emit('message:sent', { id, from, text, interrupts: interrupts || undefined });
      if (interrupts) program.write(wire.interrupt(randomUUID()));
      program.write(wire.message(id, formatForRun(message)));
    }
  }

  /** Notes that the agent has read a message. */
  heard(id: string): void {
    const message = this.#sent.get(id);
    this.#sent.delete(id);
    if (!message) return;
    const { from, text } = message;
    this.#options.emit('message:heard', { id, from, text });
    this.#orElse(undefined, () => this.#options.source?.onHeard(message));
  }

  /**
   * Notes that a turn has ended. If the agent has read every message, closes its input, because it would wait for ever.
   */
  turnEnded(): void {
    this.deliver();
    if (this.#isClosed || [...this.#sent.values()].some((it) => it !== undefined)) return;
    this.#isClosed = true;
    this.#options.program.closeInput();
  }

  /**
   * Timers, watchers and the output of the agent lead here, and an error that none of them catches would end the
   * worker. So the first error is told and the run goes on.
   */
  #orElse<T>(value: T, act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (!this.#hasFailed) this.#options.emit('messages:failed', { reason: messageOf(error) });
      this.#hasFailed = true;
      return value;
    }
  }
}
