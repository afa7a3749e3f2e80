import type { Config } from '@saga-ai/types/config';
import type { AttemptOutcome, TaskStatus } from '@saga-ai/types/plan/task';
import type { RunOutcome, StopCause } from '@saga-ai/types/run/cause';
import type { EventFields } from '@saga-ai/types/run/event';
import type { Code, Problem } from '@saga-ai/types/words/problem';
import type { LoadedStory } from '../plan/stories.ts';
import type { Environment } from '../processes/run.ts';
import type { Paths } from '../project/paths.ts';
import type { Confinement } from '../scope/confinement.ts';
import type { Access } from '../scope/scope.ts';

/**
 * What SAGA needs of an agent: the program that is given a prompt and works on it with tools. Only
 * `agents/claude` knows how Claude Code does it; a second agent provides the same.
 */
export interface Agent {
  /** The program: the configured one, else the one on PATH. Throws if there is none. */
  find(configured: string | null, folder: string, env: Environment): string;
  /** Its version. Throws if the program does not say it, or is too old to work on a story. */
  describe(path: string, paths: Paths, env: Environment): Promise<AgentProgram>;
  /** Of whom the runs in a folder are: what the person has set up for the agent itself. */
  readAccount(home: AgentHome, folder: string): ReadAccount;
  /** Arguments and variables of one headless run. */
  invoke(request: InvocationRequest): Invocation;
  /** The environment without what a session of the agent around us has put there. */
  withoutOuterSession(env: Environment): Environment;
  /** Reads what one run says. */
  openStream(): AgentStream;
  /** Returns undefined if another run may fare better. */
  findRemedy(end: StopCause | RunOutcome): Remedy | undefined;
  tasks: TaskChannel;
  guard: GuardWire;
  /** What of the scope of a run depends on the agent. */
  describeScope(home: AgentHome, worktree: string): Pick<Confinement, 'readable' | 'agent'>;
  words: AgentWords;
}

export interface AgentProgram {
  path: string;
  version: string;
}

/** Where the agent keeps what is its own. */
export interface AgentHome {
  /** Its configuration folder. */
  config: string;
}

/** How the agent logs in and reaches its model; nothing else of what a person has set up for it. */
export interface AgentAccount {
  /** In the agent's own words. */
  settings: Readonly<Record<string, unknown>>;
  /** May hold keys. */
  env: Readonly<Record<string, string>>;
}

export interface ReadAccount extends AgentAccount {
  /** A file that is there and cannot be read. */
  unread?: { path: string; reason: string };
}

export interface InvocationRequest {
  version: string;
  config: Config;
  model: string;
  sessionId: string;
  storyId: string;
  taskListId: string;
  projectFolder: string;
  worktree: string;
  /** For the sandbox of the agent, where one is wanted. */
  confinement: Pick<Confinement, 'writable' | 'hosts'>;
  /** Marks every process of the run, so that none is left behind unseen. */
  runId: string;
  guard: GuardAddress;
  /** What is left of the budget. */
  maxUsd: number | null;
  isRoot: boolean;
  /** The environment that the run will have, but for what its invocation adds. */
  inherited: Environment;
  account: AgentAccount;
  /** More variables, which the project's settings cannot change. */
  variables: Readonly<Record<string, string>>;
}

export interface Invocation {
  args: string[];
  /** Added to the environment of the worker, once that is cleaned. */
  env: Record<string, string>;
}

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

/** What one run says, line by line, as our events. */
export interface AgentStream {
  read(line: string): readonly Told[];
  /** All that is counted against a budget, so far. */
  readonly tokens: number;
  readonly costUsd: number;
  /** How the run ended, once its process has. */
  classify(ended: EndedProgram): RunVerdict;
}

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

/** How a story's tasks reach the agent, and how what it did with them comes back. */
export interface TaskChannel {
  hydrate(home: AgentHome, story: LoadedStory, timestamp: number): HydratedList;
  /** May be repeated. */
  reconcile(paths: Paths, storyId: string, listFolder: string, ended?: RunEnd): Promise<Reconciled>;
}

export interface HydratedList {
  listId: string;
  folder: string;
  tasks: number;
}

/** How the run ended for its tasks. Without an outcome no attempt is counted. */
export interface RunEnd {
  outcome?: AttemptOutcome;
}

export interface Reconciled {
  changes: readonly { taskId: string; from: TaskStatus; to: TaskStatus; why: string }[];
  /** What was seen in the list and left alone. */
  notes: { taskId: string; kind: string }[];
  problems: Problem[];
}

/** Where the guard of a run listens, and how the agent reaches it. */
export interface GuardAddress {
  url: string;
  token: string;
  /** For agents that cannot ask an address: a program that carries the question there. */
  command: string;
}

/** How the agent asks the guard before something happens, and how it is answered. */
export interface GuardWire {
  /** Throws when it is no question that it knows: then nothing is let through. */
  read(body: string): GuardQuestion;
  allow(): object;
  /** The model is shown the reason. */
  deny(reason: string): object;
  /** Text of the program that carries a question to the address. */
  program: string;
  isDenial(answer: string): boolean;
  /** The question that the agent asks before it writes a file, to try the guard. */
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

/** What the prompt calls the agent's own tools. */
export interface AgentWords {
  listTasks: string;
  showTask: string;
  updateTask: string;
  /** How the tools are found if they are not offered directly; empty if they always are. */
  findTools: string;
}
