import type { Conversation } from './conversation.ts';
import type { Fault } from './fault.ts';

/** What the model says once: words, tool calls, or a fault. A script is a list of these. */
export interface Turn {
  text?: string;
  calls?: readonly ToolCall[];
  usage?: Usage;
  fault?: Fault;
}

export interface ToolCall {
  tool: string;
  input: Readonly<Record<string, unknown>>;
}

/** What the API claims the turn has cost. */
export interface Usage {
  inputTokens?: number;
  outputTokens?: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  /** Turned into output tokens at the client's own price, since the API tells no money. */
  costUsd?: number;
}

/** Decides the next turn from the conversation alone, so that any number of sessions may share it. */
export type Policy = (conversation: Conversation) => Turn | Promise<Turn>;

/** Where turns come from; `where` is how an error names the place. Throws only SagaError. */
export type TurnSource = (conversation: Conversation) => Promise<{ turn: Turn; where: string }>;
