import type { Config } from '@saga-ai/types/config';
import type { Cause } from '@saga-ai/types/run/cause';
import type { Emit } from '@saga-ai/types/run/event';
import type { OutcomeKind } from '@saga-ai/types/run/session-record';
import { findSecrets, type Secret } from '@saga-ai/types/words/mask-secrets';
import type { Agent, AgentHome, Remedy } from '../agents/agent.ts';
import type { NetworkLimits } from '../git/git.ts';
import type { Worktree } from '../git/worktree.ts';
import type { Environment, Lifeline } from '../processes/run.ts';
import type { Paths } from '../project/paths.ts';

/** Everything a worker is started with. None of it changes while the worker runs. */
export interface Worker {
  paths: Paths;
  storyId: string;
  config: Config;
  env: Environment;
  agent: Agent;
  agentHome: AgentHome;
  session: string;
  /** Milliseconds since the epoch. Also part of the names of the session and of the task list. */
  timestamp: number;
  deadline: number;
  /** Aborted when a person or the system asks the worker to stop; the signal's reason says why, in words. */
  stop: AbortSignal;
  /** Run although a blocker is open. */
  anyway: boolean;
  isRoot: boolean;
  /** Only run the gate; start no run. */
  onlyGate?: boolean;
  /** What a rehearsal adds. */
  rehearsal?: {
    /** Tells the client where the model is; overrides the project's settings. */
    variables: Readonly<Record<string, string>>;
    /** Called when the worktree exists, before anything is read from it. */
    prepare(worktree: Worktree): Promise<void>;
  };
  emit: Emit;
  /** Every process that must not outlive the worker is started with this lifeline. */
  lifeline: Lifeline;
  network: NetworkLimits;
  /** The path of bubblewrap, if runs are enclosed in a sandbox. */
  bubblewrap?: string;
  /** Secrets of SAGA that every sandbox hides, whatever the settings say. */
  hidden?: readonly string[];
}

/** What the caller passes in; the worker adds the other fields itself. */
export type WorkerOrder = Omit<Worker, 'emit' | 'agent' | 'lifeline' | 'network'>;

/** How a worker ended, and why. */
export interface Outcome {
  kind: OutcomeKind;
  cause: Cause;
  /** The error's code and what to do now. Only set for an error. */
  remedy?: Remedy;
}

/** What must not leave this machine: not in an event, evidence, the journal or a pull request. */
export function findSecretsOf({
  env,
  agent,
  agentHome,
  paths,
}: Pick<Worker, 'env' | 'agent' | 'agentHome' | 'paths'>): Secret[] {
  return findSecrets({ ...env, ...agent.readAccount(agentHome, paths.root).env });
}

export function stopReason({ stop }: Worker): string | undefined {
  return stop.aborted ? String(stop.reason) : undefined;
}
