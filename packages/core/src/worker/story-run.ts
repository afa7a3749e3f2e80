import type { HydratedList } from '../agents/agent.ts';
import type { Worktree } from '../git/worktree.ts';
import type { Confinement } from '../scope/confinement.ts';
import type { Worker } from './context.ts';
import type { Conversation } from './decide/conversation.ts';
import type { FailedGate, LastRun } from './decide/next-cycle.ts';
import type { StoryPullRequest } from './deliver/pull-request.ts';
import type { Ready } from './prepare/preflight.ts';
import type { Guard } from './run/guard.ts';

/** A worker at its story, with everything that is prepared for runs. */
export interface StoryRun {
  worker: Worker;
  worktree: Worktree;
  ready: Ready;
  pullRequest: StoryPullRequest;
  confinement: Confinement;
  guard: Guard;
  /** The files of the plan that were put back before the first run of this worker. */
  restored: string[];
}

/** What the loop carries from one cycle to the next. */
export interface Loop {
  /** All runs so far. `cycles` counts only those that count against the limit. */
  runs: number;
  cycles: number;
  /** What all sessions of the story have spent: a budget counts for the story. */
  costUsd: number;
  tokens: number;
  quietCycles: number;
  outages: number;
  failures: number;
  restored: string[];
  /** Says in words that a person moved the branch during the last run. */
  moved?: string;
  last?: LastRun;
  /** The conversation of the last run. */
  conversation?: Conversation;
  gate?: FailedGate;
  list?: HydratedList;
  /** How many lists were written so far. */
  lists: number;
  /** Why the last tests of a task do not count, by task. */
  testsRefused: Map<string, string>;
  /** Until when the worker waits for an answer to the open blockers. */
  answerBy?: number;
  /** The ids of blockers that a person told the worker to ignore. */
  ignoredBlockers: string[];
}
