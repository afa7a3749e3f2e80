import type { Progress } from '../../plan/status.ts';
import type { OutcomeKind } from '../../run/session-record.ts';
import type { Cost } from '../../words/amounts.ts';
import type { StoryView } from '../overview.ts';
import type { StateName } from '../story-state.ts';
import type { RunReport } from './report.ts';
import type { Span } from './spans.ts';

/**
 * The state of an epic's scheduler. none: there never was one. people: it lives, and nothing can go on without a
 * person. died: it was killed.
 */
export type RunState = 'none' | 'running' | 'paused' | 'people' | 'ended' | 'died';

/**
 * GET /api/epics/:id/run?since=: the newest run of an epic. With `since`, the version of an earlier answer, the
 * stories are only those that changed since then, if the server still knows.
 */
export interface EpicRunReply extends EpicRunAnswer {
  version: number;
  /** True if the answer has only the changed stories. The others are as they were. */
  isPart: boolean;
}

/** The newest run of an epic. */
export interface EpicRunAnswer {
  state: RunState;
  /** Null if the epic was never run. */
  run: EpicRun | null;
  /** Every story of the epic, at any depth, in the order in which they can be done. */
  stories: RunRow[];
  /** What only a person can help, the most costly first. */
  holdUps: HoldUp[];
  /** The longest chain of stories that are not merged. */
  criticalPath: string[];
}

export interface EpicRun {
  session: string;
  /** How many stories are worked on at the same time. */
  jobs: number;
  /** ISO time. */
  startedAt: string;
  /** ISO time; null while the scheduler runs. For a killed scheduler, its last sign of life. */
  endedAt: string | null;
  outcome: OutcomeKind | null;
  /** Why it ended, in words. */
  reason: string | null;
  /** What to do about an error. */
  hint: string | null;
  /** What its stories have spent. */
  cost: Cost;
  /** When all is expected to be merged; null if it is over, or no story has been finished yet. */
  forecast: RunForecast | null;
  /** The address of the epic's pull request. */
  pr: string | null;
  /** The branch of the epic; null if stories are merged by a person, or nothing was begun. */
  branch: string | null;
  /** Oldest first. */
  merges: Merge[];
  foretold: Foretold[];
  /** Null while it runs. */
  report: RunReport | null;
}

/** What is left of a run, if every task takes as long as the median of those that were finished. */
export interface RunForecast {
  /** Milliseconds since the epoch. Assumes that a person now helps wherever one is needed. */
  endsAt: number;
  /** The number of finished stories that it follows from. */
  basedOn: number;
}

/** A story, or an inner epic, that was merged. */
export interface Merge {
  item: string;
  title: string;
  into: string;
  commit: string;
  /** Milliseconds since the epoch. */
  at: number;
  verified: 'gate' | 'verify' | 'none';
}

/** Two stories that have changed the same lines, while neither is merged. */
export interface Foretold {
  stories: readonly string[];
  files: readonly string[];
}

/** A story in the run of an epic. */
export interface RunRow {
  id: string;
  title: string;
  /** The epic that it is a child of. */
  epic: string;
  state: StateName;
  /** What it does, waits for or needs, in a few words. */
  note: string;
  progress: Progress;
  /** The items that must be merged before it begins. */
  needs: string[];
  isCritical: boolean;
  /** Its newest session in this run. */
  session: string | null;
  /** How often a worker was started in this run. */
  starts: number;
  cost: Cost;
  spans: Span[];
  /** What its worker does; null if none runs. */
  work: RowWork | null;
  /** When it will begin and end, in milliseconds since the epoch; null if it is merged or nobody can say. */
  expected: Expected | null;
}

/** A worker that runs. */
export interface RowWork {
  /** ISO time. */
  startedAt: string;
  /** The last tool call, in words. */
  activity: string | null;
  /** The last time that it wrote anything (ISO time); null if its output file is gone. */
  signAt: string | null;
}

export interface Expected {
  from: number;
  to: number;
}

/** A story, or an inner epic, that only a person can help. */
export interface HoldUp {
  item: string;
  title: string;
  /** Null for an inner epic. */
  view: StoryView | null;
  /** Why, in words. */
  reasons: string[];
  questions: { id: string; title: string; body: string; time: string | null }[];
  /** Since when (ISO time); null if nobody knows. */
  since: string | null;
  /** The stories that cannot begin before it is helped. */
  cutsOff: string[];
  isCritical: boolean;
}

/** The body of POST /api/epics/:id/run and /jobs. */
export interface JobsRequest {
  jobs?: number;
}
