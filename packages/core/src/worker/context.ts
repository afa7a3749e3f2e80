import type { Config } from '@saga-ai/types/config';
import { formatConfigVariable } from '@saga-ai/types/config-variable';
import type { Story } from '@saga-ai/types/plan/story';
import type { Cause } from '@saga-ai/types/run/cause';
import type { Emit } from '@saga-ai/types/run/event';
import type { OutcomeKind } from '@saga-ai/types/run/session-record';
import { findSecrets, type Secret } from '@saga-ai/types/words/mask-secrets';
import type { Agent, AgentHome, Remedy } from '../agents/agent.ts';
import type { Git, NetworkLimits } from '../git/git.ts';
import { LFS_CONFIG } from '../git/pins.ts';
import { openTree } from '../git/project-tree.ts';
import type { Worktree } from '../git/worktree.ts';
import type { BaseBranch } from '../overview/facts/choose-base-branch.ts';
import { digestPlan, readPlanTexts } from '../plan/plan-digest.ts';
import { loadStory } from '../plan/stories.ts';
import type { Environment, Lifeline } from '../processes/run.ts';
import type { Paths } from '../project/paths.ts';
import { CI_FILES, type Protection } from '../scope/protected-files.ts';

/** Everything a worker is started with. None of it changes while the worker runs. */
export interface Worker {
  paths: Paths;
  storyId: string;
  config: Config;
  /** What the story starts from, is compared with and is merged into. */
  base: BaseBranch;
  env: Environment;
  agent: Agent;
  agentHome: AgentHome;
  session: string;
  /** When it began: milliseconds since the epoch, by this machine's clock. */
  timestamp: number;
  deadline: number;
  /** Aborted when a person or the system asks the worker to stop; the signal's reason says why, in words. */
  stop: AbortSignal;
  /** Run although the story waits for others, its plan has two copies, or a blocker is open: a person's word. */
  anyway: boolean;
  /** Whoever started the worker has just asked `requireStartable`. A scheduler decides on what it saw then. */
  isChecked?: boolean;
  isRoot: boolean;
  /** In a fleet, says whether this machine may still push. Undefined on a machine that works alone. */
  fence?: Fence;
  /** A further round of work in the same session: what the session spent before counts. */
  isFurther?: true;
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
  /**
   * A digest of the definitions of the story and its tasks when the worker began. Nobody may change them while the
   * worker works on the story.
   */
  definition?: string;
  /** The path of bubblewrap, if runs are enclosed in a sandbox. */
  bubblewrap?: string;
  /** Secrets of SAGA that every sandbox hides. No setting can show them. */
  hidden?: readonly string[];
  /** The hosts that the sandbox refused so far. */
  refusedHosts?: Set<string>;
}

/** Keeps a machine from pushing after another machine has taken over its story. */
export interface Fence {
  /** The number of the lease under which this machine works. */
  lease: number;
  /** The machine's name in the fleet. */
  machine: string;
  /** Returns undefined if this machine may push now, else why it may not, in words. */
  check(): Promise<string | undefined>;
}

/** What the caller passes in; the worker adds the other fields itself. */
export type WorkerOrder = Omit<
  Worker,
  'base' | 'emit' | 'agent' | 'lifeline' | 'network' | 'definition'
>;

/** How a worker ended, and why. */
export interface Outcome {
  kind: OutcomeKind;
  cause: Cause;
  /** The error's code and what to do now. Only set for an error. */
  remedy?: Remedy;
}

/** Which files a story may not change, compared with this commit of its base. */
export async function describeProtection(
  { agent, config }: Pick<Worker, 'agent' | 'config'>,
  { writeFiles }: Pick<Story, 'writeFiles'>,
  git: Git,
  base: string,
): Promise<Protection> {
  const imported = await agent.listImports(await openTree(git, base));
  return {
    byDefault: [...CI_FILES, LFS_CONFIG, ...agent.protectedFiles, ...imported],
    configured: config.gate.protectedFiles,
    writeFiles,
  };
}

/** Returns a digest of the definitions of the story and its tasks now. */
export function digestDefinition({ paths, storyId }: Pick<Worker, 'paths' | 'storyId'>): string {
  return digestPlan(readPlanTexts(loadStory(paths, storyId).home));
}

/** Finds the secrets that must not appear in an event, evidence, the journal or a pull request. */
export function findSecretsOf({
  env,
  agent,
  agentHome,
}: Pick<Worker, 'env' | 'agent' | 'agentHome'>): Secret[] {
  return findSecrets({ ...env, ...agent.readAccount(agentHome, {}).env });
}

/** The address of a fleet's engine contains a password, and no program of a worker needs it. */
export function withoutEngine(env: Environment): Environment {
  const { [formatConfigVariable('engine.url')]: _, ...rest } = env;
  return rest;
}

export function stopReason({ stop }: Worker): string | undefined {
  return stop.aborted ? String(stop.reason) : undefined;
}
