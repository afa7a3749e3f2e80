import type { Config } from '@saga-ai/types/config';
import type { AttemptOutcome, TaskStatus } from '@saga-ai/types/plan/task';
import type { RunOutcome, StopCause } from '@saga-ai/types/run/cause';
import type { EventFields } from '@saga-ai/types/run/event';
import type { Code, Problem } from '@saga-ai/types/words/problem';
import type { LoadedStory } from '../plan/stories.ts';
import type { Environment, Lifeline } from '../processes/run.ts';
import type { Paths } from '../project/paths.ts';
import type { Confinement } from '../scope/confinement.ts';
import type { GuardWire, TalkWire } from './wires.ts';

/**
 * What SAGA needs of an agent, the program that works on a prompt with tools. Only `agents/claude`
 * knows how Claude Code does it; a second agent would implement the same interface.
 */
export interface Agent {
  /** Returns the path of the program: the configured one, else the one on PATH. Throws if there is none. */
  find(configured: string | null, folder: string, env: Environment): string;
  /**
   * Returns the version. It comes from a cache unless it must be fresh. Throws if the program does not print its
   * version, or is too old to work on a story.
   */
  describe(
    path: string,
    paths: Paths,
    env: Environment,
    asked?: { isFresh: boolean },
  ): Promise<AgentProgram>;
  versions: KnownVersions;
  /** Returns where the agent keeps its own files, for a person with these variables and this home folder. */
  findHome(env: Environment, homeFolder: string): AgentHome;
  /** Reads how the person logs the agent in, for runs with these files of the project. */
  readAccount(home: AgentHome, project: ProjectFiles): ReadAccount;
  /** Reads the agent's files of a project that a run gets, from its base: a run can write those in the worktree. */
  readProject(home: AgentHome, base: ProjectTree): Promise<ProjectFiles>;
  /**
   * Lists the texts of a checkout that make the agent start a program or allow it more than SAGA does. A person must
   * agree to them.
   */
  listProjectPrograms(checkout: string): ProjectProgram[];
  /**
   * Returns how a run would log in, in words; undefined if the agent cannot tell. Throws if a run would
   * not be logged in.
   */
  requireLogin(question: LoginQuestion): Promise<string | undefined>;
  /** Returns the arguments and variables of one headless run. */
  invoke(request: InvocationRequest): AgentInvocation;
  /** Removes the variables that an agent's session around this process has set. */
  withoutOuterSession(env: Environment): Environment;
  stage: StageWire;
  /** Says whether a variable is for the agent and its model alone. */
  isOwnVariable(name: string): boolean;
  /** Lists the addresses by which a run with these variables reaches its model. */
  listEndpoints(env: Environment): string[];
  /** Opens a reader for the output of one run. */
  openStream(run: { version: string; earlierCostUsd: number }): AgentStream;
  /** Asks one question outside of any story. The agent may only read, and answers with a value of a schema. */
  ask(question: AgentQuestion): Promise<AgentAnswer>;
  talk: TalkWire;
  /** Returns undefined if another run may succeed. */
  findRemedy(end: StopCause | RunOutcome): Remedy | undefined;
  tasks: TaskChannel;
  guard: GuardWire;
  /** The part of a run's scope that depends on the agent. */
  describeScope(home: AgentHome, worktree: string): Pick<Confinement, 'readable' | 'agent'>;
  /** Globs of the agent's files in a project: they tell the agent of every later run what to do. */
  protectedFiles: readonly string[];
  /** Lists further files of a project that do so, because one of those files names them. */
  listImports(base: ProjectTree): Promise<string[]>;
  /** The agent's own files that a run in a sandbox needs. */
  describeFiles(home: AgentHome, homeFolder: string, run: EnclosedRun): AgentFiles;
  /** Takes back what an enclosed run changed in its private copy of the agent's folder. */
  takeBack(home: AgentHome, privateFolder: string, worktree: string): void;
  words: AgentWords;
}

/** What a run in a sandbox sees of the agent's own files. All paths are absolute. */
export interface AgentFiles {
  /** The agent's folder. A run gets a private one, in which the entries of the real one are shown. */
  folder: string;
  /** Private to the person: neither shown nor copied. */
  withheld: string[];
  /** Files that the agent changes; it gets copies. */
  copied: string[];
  /** Files of a withheld folder. The run gets copies of them, at the same place. */
  brought: string[];
  /** Folders that the run and the worker share. */
  open: string[];
  variables: Readonly<Record<string, string>>;
}

/** What decides which of the agent's files an enclosed run needs. */
export interface EnclosedRun {
  listFolder: string;
  worktree: string;
  /** The conversation that the run goes on with, if it begins none. */
  continues?: string | undefined;
}

/** The files of a project at one commit. */
export interface ProjectTree {
  files: ReadonlyMap<string, { isLink: boolean }>;
  /** Returns the text of a file, or the target of a link. */
  read(path: string): Promise<string>;
}

/** Texts of files of a project, by path. Files that do not exist are missing. */
export type ProjectFiles = Readonly<Record<string, string>>;

export interface AgentProgram {
  path: string;
  version: string;
}

/** The versions that SAGA was tested with, oldest first, and the oldest that it works with. */
export interface KnownVersions {
  oldest: string;
  tested: readonly string[];
}

/** One thing in a checkout that makes the agent start a program or lets it do more. */
export interface ProjectProgram {
  file: string;
  /** The key of the settings; undefined if the whole file counts. */
  key?: string;
  text: string;
}

/** A place for runs that reach a scripted model only, and nobody's account: for rehearsals, trials and the demo. */
export interface Stage {
  /** The address of the scripted model. */
  modelUrl: string;
  /** The agent's own files on the stage, in place of the person's. */
  home: AgentHome;
  temp: string;
}

/** How a run is put on a stage. */
export interface StageWire {
  /**
   * Returns the variables of a run on the stage: those of `env`, except the ones that select another model or account.
   */
  buildEnvironment(env: Environment, stage: Stage): Record<string, string | undefined>;
  /**
   * Returns those variables of a run on the stage that the settings of a project could change. The run is given them
   * again, where they win.
   */
  buildVariables(env: Environment, stage: Stage): Record<string, string>;
  /** The names of the variables that say where the agent keeps its own files. */
  placeVariables: readonly string[];
}

/** Where the agent keeps its own files. */
export interface AgentHome {
  /** Its configuration folder. */
  config: string;
}

/** How the agent logs in and reaches its model. It contains none of the person's other settings. */
export interface AgentAccount {
  /** Keys and values of the agent's settings. */
  settings: Readonly<Record<string, unknown>>;
  /** May contain secrets. */
  env: Readonly<Record<string, string>>;
}

export interface ReadAccount extends AgentAccount {
  /** The person's settings file, if it exists and cannot be read. */
  unread?: { path: string; reason: string };
}

export interface LoginQuestion {
  program: AgentProgram;
  home: AgentHome;
  /** Where the run would be. */
  folder: string;
  /** The worker's environment, without variables of git. */
  env: Environment;
  /** True if the agent must not be started only to ask for its login, because a variable names a key. */
  isQuick: boolean;
}

export interface InvocationRequest {
  version: string;
  config: Config;
  model: string;
  sessionId: string;
  /** The run goes on with the conversation `sessionId`; otherwise it begins one of that name. */
  isContinued?: boolean;
  storyId: string;
  taskListId: string;
  projectFolder: string;
  worktree: string;
  /** Marks every process of the run, so that all of them can be found and ended. */
  runId: string;
  guard: GuardAddress;
  /** A JSON Schema. If it is set, the run answers a question with a value of this schema, and may only read. */
  answerSchema?: object;
  /** The rest of the budget. */
  maxUsd: number | null;
  isRoot: boolean;
  /** The environment of the run, without the variables that the invocation adds. */
  inherited: Environment;
  account: AgentAccount;
  /** The agent's files of the project, as the base of the story has them. */
  project: ProjectFiles;
  /** Further variables that the project's settings cannot change. */
  variables: Readonly<Record<string, string>>;
}

export interface AgentInvocation {
  args: string[];
  /** Added to the worker's cleaned environment. */
  env: Record<string, string>;
}

/** The events that come from the agent's output. The worker emits all others. */
export type AgentEventType =
  | 'run:init'
  | 'run:text'
  | 'run:tool'
  | 'run:result'
  | 'run:retry'
  | 'run:rate-limit'
  | 'run:outcome'
  | 'run:heard'
  | 'run:event'
  | 'run:noise';

/** One event from the agent's output, without the time; the log adds the time. */
export type Told<T extends AgentEventType = AgentEventType> = T extends AgentEventType
  ? { type: T } & EventFields<T>
  : never;

/** Translates the output of one run, line by line, into SAGA's events. */
export interface AgentStream {
  read(line: string): readonly Told[];
  /** What the agent answered to a question with a schema. The value is unchecked. */
  readonly answer: unknown;
  /** How many lines so far show that the agent or its model does something. */
  readonly signs: number;
  /** The tokens counted against the budget so far. */
  readonly tokens: number;
  /** The dollars of this run alone, also if it goes on with an earlier conversation. */
  readonly costUsd: number;
  /** How long the conversation is by now, in tokens. */
  readonly contextTokens: number;
  /** True if the agent has not said what the run cost, so that the cost is estimated from the tokens. */
  readonly isCostEstimated: boolean;
  /** True if that estimate has no basis, because no price of the model is known. */
  readonly isCostUnknown: boolean;
  /** Says how the run ended. Call it after the process has ended. */
  classify(ended: EndedProgram): RunVerdict;
}

export interface AgentQuestion {
  program: AgentProgram;
  home: AgentHome;
  /** The agent may read the files in this folder, and no others. */
  folder: string;
  /** Without the variables of an outer session. */
  env: Environment;
  model: string;
  prompt: string;
  /** The JSON Schema of the answer. */
  schema: object;
  conversation: QuestionConversation;
  /** The most that this answer may cost. */
  maxUsd: number;
  /** Milliseconds since the epoch. */
  deadline: number;
  stop: AbortSignal;
  /** The agent ends when the lifeline ends. */
  lifeline: Lifeline;
  onStep(step: AgentStep): void;
}

/** The conversation that a question belongs to. Its first question begins it. */
export interface QuestionConversation {
  id: string;
  isContinued: boolean;
  /** What its earlier answers cost together. */
  earlierCostUsd: number;
}

/** What the agent does before it answers: it calls a tool, or it writes the answer. */
export type AgentStep = { kind: 'call'; text: string } | { kind: 'answer' };

export type AgentAnswer =
  | {
      kind: 'answer';
      /** Not yet checked against the schema. Undefined if the agent ended without a value. */
      value: unknown;
      /** The dollars of this answer alone. */
      costUsd: number;
    }
  | { kind: 'none'; why: NoAnswer; detail: string };

/** Why there is no answer: how the run ended, or that SAGA ended it. */
export type NoAnswer = Exclude<RunOutcome, 'ok'> | Extract<StopCause, 'signal' | 'time'>;

export interface EndedProgram {
  code: number | null;
  signal: string | null;
  stderr: string;
}

export interface RunVerdict {
  outcome: RunOutcome;
  /** The agent's own words, on one line. */
  detail: string;
  /** When the usage limit ends, in milliseconds since the epoch. Only set if the client said so. */
  resetsAt?: number;
}

/** The code of the error and what a person must do before another run can succeed. */
export interface Remedy {
  code: Code;
  hint: string;
}

/** How a story's tasks reach the agent, and how their statuses come back. */
export interface TaskChannel {
  /** The folder that holds the lists of all runs, each in a folder with the name of the list. */
  findFolder(home: AgentHome): string;
  hydrate(home: AgentHome, story: LoadedStory, timestamp: number): HydratedList;
  /** Updates the tasks of a story from its list. May be called again. */
  reconcile(paths: Paths, storyId: string, listFolder: string, ended?: RunEnd): Promise<Reconciled>;
}

export interface HydratedList {
  listId: string;
  folder: string;
  tasks: number;
}

/** How the run ended, which decides about its open tasks. Without an outcome, no attempt is counted. */
export interface RunEnd {
  outcome?: AttemptOutcome;
  /** Why, in words. */
  detail?: string;
  /** The tasks whose statuses the run may change. If missing: all. */
  own?: readonly string[];
}

export interface Reconciled {
  changes: readonly { taskId: string; from: TaskStatus; to: TaskStatus; why: string }[];
  /** What was noticed in the list and not applied. */
  notes: { taskId: string; kind: string }[];
  problems: Problem[];
}

/** Where the guard of a run listens, and how the agent reaches it. */
export interface GuardAddress {
  url: string;
  token: string;
  /** A program that forwards the question, for agents that cannot call an address. */
  command: string;
}

/** What differs in words from agent to agent: names of tools for the prompt, and advice for people. */
export interface AgentWords {
  listTasks: string;
  showTask: string;
  updateTask: string;
  /** How to find the tools if they are not offered directly; empty if they always are. */
  findTools: string;
  /** A value of the setting `worker.tools` that lets a run commit. */
  commitRule: string;
  /** What to check if the agent runs but does not ask the model that it was given. */
  modelNotAsked: string;
  /** The command by which a person brings the agent up to date. */
  update: string;
  /** What a person does to see whether the agent works without SAGA. A sentence without its full stop. */
  tryByHand: string;
}
