import type { Config } from '@saga-ai/types/config';
import type { Cause } from '@saga-ai/types/run/cause';
import type { Emit } from '@saga-ai/types/run/event';
import type { OutcomeKind } from '@saga-ai/types/run/session-record';
import type { Agent, AgentHome, Remedy } from '../agents/agent.ts';
import type { NetworkLimits } from '../git/git.ts';
import type { Worktree } from '../git/worktree.ts';
import type { Environment, Lifeline } from '../processes/run.ts';
import type { Paths } from '../project/paths.ts';

/** What one worker was started with; the same from its first step to its last. */
export interface Worker {
  paths: Paths;
  storyId: string;
  config: Config;
  env: Environment;
  agent: Agent;
  agentHome: AgentHome;
  session: string;
  /** Milliseconds since the epoch; also part of the session's and the task list's name. */
  timestamp: number;
  deadline: number;
  /** Aborted, with the reason in words, when a person or the system asks it to stop. */
  stop: AbortSignal;
  /** Go on although a blocker is open. */
  anyway: boolean;
  isRoot: boolean;
  /** What a rehearsal adds. */
  rehearsal?: {
    /** For the client, whatever the project's settings say: where the model is. */
    variables: Readonly<Record<string, string>>;
    /** Once the worktree is there, before anything is read from it. */
    prepare(worktree: Worktree): Promise<void>;
  };
  emit: Emit;
  /** Whatever must not outlive the worker is started with it. */
  lifeline: Lifeline;
  network: NetworkLimits;
}

/** What a worker is asked to do; the rest it makes for itself. */
export type WorkerOrder = Omit<Worker, 'emit' | 'agent' | 'lifeline' | 'network'>;

/** How a worker ended, and why. */
export interface Outcome {
  kind: OutcomeKind;
  cause: Cause;
  /** For an error: its code, and what to do now. */
  remedy?: Remedy;
}

export function stopReason({ stop }: Worker): string | undefined {
  return stop.aborted ? String(stop.reason) : undefined;
}
