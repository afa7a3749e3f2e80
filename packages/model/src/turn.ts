import type { Conversation } from './conversation.ts';
import type { Fault } from './fault.ts';

/** One answer of the model: words, tool calls, or a fault. A script is a list of turns. */
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

/** The usage that the API reports for a turn. */
export interface Usage {
  inputTokens?: number;
  outputTokens?: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  /** Dollars. They become output tokens at the client's price, because the API reports no money. */
  costUsd?: number;
}

/** Decides the next turn from the conversation alone, so that several sessions can share a policy. */
export type Policy = (conversation: Conversation) => Turn | Promise<Turn>;

/** The source of turns. Errors name the place with `where`. Throws only SagaError. */
export type TurnSource = (conversation: Conversation) => Promise<{ turn: Turn; where: string }>;
