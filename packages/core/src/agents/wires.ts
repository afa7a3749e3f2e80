import type { Access } from '../scope/scope.ts';

/**
 * The format of messages to a run while it works. The prompt is the first message. The event `run:heard` says that the
 * run has read a message.
 */
export interface TalkWire {
  message(id: string, text: string): string;
  /** Ends what the agent does at the moment. The conversation goes on with the next message. */
  interrupt(id: string): string;
}

/** The format in which the agent asks the guard before a call, and in which it is answered. */
export interface GuardWire {
  /** Throws if the question is unknown; the guard then denies the call. */
  read(body: string): GuardQuestion;
  allow(): object;
  /** The model is shown the reason. */
  deny(reason: string): object;
  /** The source of the program that forwards a question to the address. */
  program: string;
  isDenial(answer: string): boolean;
  /** Builds the question that the agent asks before it writes a file, for testing the guard. */
  buildProbe(path: string): object;
}

export type GuardQuestion =
  | { kind: 'prompt' }
  | {
      kind: 'call';
      id?: string;
      tool: string;
      input: Record<string, unknown>;
      path?: string;
      cwd?: string;
      accesses: readonly Access[];
    };
