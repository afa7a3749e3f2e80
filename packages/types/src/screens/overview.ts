import * as z from 'zod/mini';
import { TaskStatus } from '../plan/task.ts';
import { Waiting } from '../run/session-record.ts';
import { Problem } from '../words/problem.ts';
import { ENDS, LIFE_STATES } from './life.ts';
import { OVERVIEW_VERSION } from './overview-version.ts';

/** What every screen receives: `saga … --json`, the dashboard's API and its pages. */
export const ProgressView = z.object({ completed: z.number(), total: z.number() });

const REASON_KINDS = [
  'blocker',
  'escalated',
  'copies',
  'gate',
  'stalled',
  'unreadable',
  'credential',
  'epic',
] as const;

export const Reason = z.object({
  kind: z.enum(REASON_KINDS),
  title: z.string(),
  since: z.optional(z.string().check(z.describe('ISO time.'))),
  isAsked: z.optional(z.boolean().check(z.describe('The silent run was asked what it waits for.'))),
});
export type Reason = z.infer<typeof Reason>;

/** What can be in the way of a run. All of these except the last keep a worker from starting. */
const HINDRANCES = [
  'running',
  'unreadable',
  'copies',
  'waits',
  'blocker',
  'held-up',
  'nothing-to-do',
] as const;
export type Hindrance = (typeof HINDRANCES)[number];

export const SessionView = z.object({
  session: z.string(),
  startedAt: z.string().check(z.describe('ISO time.')),
  startedIn: z.optional(
    z.string().check(z.describe('The checkout in which it was started, if that is not this one.')),
  ),
  cycle: z.number(),
  tokens: z.number(),
  costUsd: z.number(),
  isCostEstimated: z.boolean().check(z.describe('The dollars are estimated from the tokens.')),
  isCostUnknown: z
    .boolean()
    .check(z.describe('No price of the model is known, so costUsd is only a guess for budgets.')),
  task: z.nullable(z.string()).check(z.describe('The task in progress, in words.')),
  activity: z.nullable(z.string()).check(z.describe('The last tool call, in words.')),
  waiting: z.nullable(Waiting),
  isAsked: z.optional(
    z
      .boolean()
      .check(z.describe('The run showed no sign of life, and was asked what it waits for.')),
  ),
});
export type SessionView = z.infer<typeof SessionView>;

export const StoryView = z.object({
  id: z.string(),
  title: z.string(),
  epic: z.nullable(z.string()),
  status: TaskStatus.check(z.describe('From its tasks alone.')),
  state: z.enum(LIFE_STATES).check(z.describe('Where it is in its life.')),
  reason: z.string().check(z.describe('Why it is in that state, in words.')),
  next: z.nullable(z.string()).check(z.describe('The command that helps; null once it is done.')),
  remedy: z
    .nullable(z.string())
    .check(z.describe('What to do before that command, such as the hint of an error.')),
  since: z
    .nullable(z.string())
    .check(z.describe('Since when it waits for a person (ISO time); null if it does not.')),
  ended: z
    .nullable(z.enum(ENDS))
    .check(z.describe('How its newest worker ended; null if none did, one runs or it is done.')),
  unverified: z.boolean().check(z.describe('Its gate passed, but no verify command was run.')),
  ready: z.boolean().check(z.describe('Its state is ready: it could be started now.')),
  blockedBy: z.array(z.string()).check(z.describe('What it depends on that is not done.')),
  hindrances: z
    .array(z.enum(HINDRANCES))
    .check(
      z.describe(
        'What is in the way of a run; empty if it may run. held-up: a task that was tried too often holds up all that is open.',
      ),
    ),
  running: z.boolean(),
  session: z.nullable(SessionView).check(z.describe('What the running worker does.')),
  needsYou: z.nullable(z.array(Reason)).check(z.describe('null, or at least one reason.')),
  progress: ProgressView,
  working: z.nullable(z.string()).check(z.describe('The task in progress, in words.')),
  home: z
    .string()
    .check(z.describe('The folder of the story that counts now, relative to the project.')),
  branch: z.nullable(z.string()),
  pr: z.nullable(z.string()),
  labels: z.array(z.string()),
  behind: z
    .nullable(z.number())
    .check(z.describe('Commits of the base that its branch lacks; null without a worktree.')),
});
export type StoryView = z.infer<typeof StoryView>;

/** A story or an epic that waits for a person, as `saga inbox` lists it. */
export const InboxItem = z.strictObject({
  item: z.enum(['story', 'epic']).check(z.describe('What waits.')),
  story: z.string().check(z.describe('The id of the story, or of the epic.')),
  title: z.string(),
  epic: z.nullable(z.string()).check(z.describe('The epic it is a child of.')),
  state: z.enum(LIFE_STATES),
  kind: z.enum([...REASON_KINDS, 'error', 'interrupted', 'review']),
  reasons: z.array(z.string()).check(z.describe('Why, in words. There is at least one.')),
  since: z.nullable(z.string()).check(z.describe('ISO time; null if nobody knows.')),
  remedy: StoryView.shape.remedy,
  next: z.string().check(z.describe('The command that helps.')),
  holdsUp: z.array(z.string()).check(z.describe('The stories that wait for this one.')),
});
export type InboxItem = z.infer<typeof InboxItem>;

export const EpicView = z.object({
  id: z.string(),
  title: z.string(),
  epic: z.nullable(z.string()).check(z.describe('The epic it is a child of.')),
  status: TaskStatus.check(z.describe('From the tasks of its stories alone.')),
  state: z
    .enum(LIFE_STATES)
    .check(z.describe('Where it is in its life, by its stories and its scheduler.')),
  stuck: z.optional(
    z
      .object({ reason: z.string(), next: z.string(), since: z.string() })
      .check(
        z.describe('Why the scheduler around it cannot merge it, and the command that helps.'),
      ),
  ),
  ready: z.boolean().check(z.describe('It is not done, and all that it depends on is.')),
  blockedBy: z.array(z.string()).check(z.describe('What it depends on that is not done.')),
  progress: ProgressView.check(z.describe('Stories at any depth; completed counts those done.')),
  inReview: z.number().check(z.describe('Stories at any depth whose gate passed, not yet merged.')),
  children: z.array(z.object({ id: z.string(), blockedBy: z.array(z.string()) })),
  branch: z.nullable(z.string()),
  pr: z.nullable(z.string()),
  labels: z.array(z.string()),
});
export type EpicView = z.infer<typeof EpicView>;

/** An epic that waits for a person. */
export interface EpicCall {
  epic: EpicView;
  state: 'needs you' | 'in review' | 'interrupted';
  /** Why it waits, in words. */
  reason: string;
  since: string | null;
  /** The command that helps. */
  next: string;
}

export const Overview = z.object({
  version: z.literal(OVERVIEW_VERSION),
  stories: z.array(StoryView),
  epics: z.array(EpicView),
  problems: z.array(Problem),
});
export type Overview = z.infer<typeof Overview>;
