import type { RunOutcome, StopCause } from '@saga-ai/types/run/cause';
import type { EventFields } from '@saga-ai/types/run/event';
import type { Code } from '@saga-ai/types/words/problem';

/** The events that an agent's reader tells; all others are the worker's own. */
export type AgentEventType =
  | 'run:init'
  | 'run:text'
  | 'run:tool'
  | 'run:result'
  | 'run:retry'
  | 'run:rate-limit'
  | 'run:outcome'
  | 'run:event'
  | 'run:noise';

/** One of them; whoever writes it down adds the time. */
export type Told<T extends AgentEventType = AgentEventType> = T extends AgentEventType
  ? { type: T } & EventFields<T>
  : never;

/** How the process of a run ended. */
export interface EndedProgram {
  code: number | null;
  signal: string | null;
  stderr: string;
}

export interface RunVerdict {
  outcome: RunOutcome;
  /** In the words of the agent, on one line. */
  detail: string;
  /** Milliseconds since the epoch, for a usage limit that said when it ends. */
  resetsAt?: number;
}

/** Another run would fare no better: the code of the error, and what a person has to do. */
export interface Remedy {
  code: Code;
  hint: string;
}

/** What one run of an agent says, line by line, as our events. */
export interface AgentStream {
  read(line: string): readonly Told[];
  /** All that is counted against a budget, so far. */
  readonly tokens: number;
  readonly costUsd: number;
  classify(ended: EndedProgram): RunVerdict;
}

/** What SAGA needs of an agent. */
export interface Agent {
  openStream(): AgentStream;
  /** Returns undefined if another run may fare better. */
  findRemedy(end: StopCause | RunOutcome): Remedy | undefined;
}
