import type { LastRun } from './next-cycle.ts';

/** A conversation of the agent that a later run may go on with. */
export interface Conversation {
  sessionId: string;
  model: string;
  /** How long it is, in tokens. */
  contextTokens: number;
  /** What all its runs cost. */
  costUsd: number;
}

export interface NextRun {
  model: string;
  /** The run is for one task, or for its tests. */
  isForOneTask: boolean;
  /** The longest conversation that is continued, in tokens. */
  longest: number;
  /** Cycles in a row without progress. */
  quietCycles: number;
}

/** Why a run begins a new conversation. */
export type FreshReason = 'first' | 'one-task' | 'model' | 'not-ended-well' | 'too-long' | 'stuck';

/**
 * Decides whether the next run goes on with the conversation of the last one, which knows the code already, or
 * begins a new one. Returns the reason for a new one, or undefined.
 */
export function findFreshReason(
  conversation: Conversation | undefined,
  last: Pick<LastRun, 'outcome' | 'stoppedBy'> | undefined,
  { model, isForOneTask, longest, quietCycles }: NextRun,
): FreshReason | undefined {
  if (!conversation || !last) return 'first';
  if (isForOneTask) return 'one-task';
  if (last.outcome !== 'ok' || last.stoppedBy !== undefined) return 'not-ended-well';
  if (conversation.model !== model) return 'model';
  if (longest === 0 || conversation.contextTokens > longest) return 'too-long';
  return quietCycles > 0 ? 'stuck' : undefined;
}
