import { SagaError } from '@saga-ai/core/errors';
import type { Conversation } from './conversation.ts';
import { type Fault, spoilsReply } from './fault.ts';
import type { Turn, TurnSource } from './turn.ts';

/** Returns one turn per request and collects the errors of the script or the policy. */
export class Turns {
  readonly errors: SagaError[] = [];
  readonly #source: TurnSource;
  readonly #planned: { fault: Fault; left: number }[] = [];

  constructor(source: TurnSource) {
    this.#source = source;
  }

  /** Plays the fault at the next request. Several faults are played one after the other. */
  failNext(fault: Fault): void {
    const { times = 1 } = fault;
    this.#planned.push({ fault, left: times === 'always' ? Number.POSITIVE_INFINITY : times });
  }

  async take(conversation: Conversation): Promise<Turn> {
    // The client repeats a refused request. It gets the first error again, and no further turn is used.
    const [broken] = this.errors;
    if (broken) throw broken;
    const fault = this.#takePlanned();
    if (fault && !spoilsReply(fault)) return { fault };
    try {
      const { turn, where } = await this.#source(conversation);
      checkCalls(turn, conversation, where);
      return fault ? { ...turn, fault } : turn;
    } catch (error) {
      this.errors.push(error as SagaError);
      throw error;
    }
  }

  #takePlanned(): Fault | undefined {
    const [next] = this.#planned;
    if (next && --next.left <= 0) this.#planned.shift();
    return next?.fault;
  }
}

function checkCalls(turn: Turn, { tools }: Conversation, where: string): void {
  const unknown = turn.calls?.find((call) => !tools.includes(call.tool));
  if (!unknown) return;
  throw new SagaError(
    'invalid-file',
    `${where}: it calls ${unknown.tool}, a tool that the request does not offer.`,
    `The request offers: ${tools.join(', ')}.`,
  );
}
