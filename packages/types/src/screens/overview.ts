import * as z from 'zod/mini';
import { TaskStatus } from '../plan/task.ts';
import { Problem } from '../words/problem.ts';
import { OVERVIEW_VERSION } from './overview-version.ts';

/** What every screen receives: `saga … --json`, the dashboard's API and its pages. */
export const ProgressView = z.object({ completed: z.number(), total: z.number() });

export const Reason = z.object({
  kind: z.enum(['blocker', 'escalated', 'gate', 'stalled']),
  title: z.string(),
  since: z.optional(z.string().check(z.describe('ISO time.'))),
});
export type Reason = z.infer<typeof Reason>;

export const SessionView = z.object({
  session: z.string(),
  startedAt: z.string().check(z.describe('ISO time.')),
  cycle: z.number(),
  tokens: z.number(),
  costUsd: z.number(),
  task: z.nullable(z.string()).check(z.describe('The task in progress, in words.')),
  activity: z.nullable(z.string()).check(z.describe('The last tool call, in words.')),
});
export type SessionView = z.infer<typeof SessionView>;

export const StoryView = z.object({
  id: z.string(),
  title: z.string(),
  epic: z.nullable(z.string()),
  status: TaskStatus,
  ready: z
    .boolean()
    .check(
      z.describe(
        'The story can start now: it waits for nothing, no worker runs, and it does not need you.',
      ),
    ),
  blockedBy: z.array(z.string()).check(z.describe('Ids that the story still waits for.')),
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
});
export type StoryView = z.infer<typeof StoryView>;

export const EpicView = z.object({
  id: z.string(),
  title: z.string(),
  epic: z.nullable(z.string()).check(z.describe('The epic that contains this one.')),
  status: TaskStatus,
  ready: z.boolean(),
  blockedBy: z.array(z.string()),
  progress: ProgressView.check(z.describe('Counts stories at any depth.')),
  children: z.array(z.object({ id: z.string(), blockedBy: z.array(z.string()) })),
  branch: z.nullable(z.string()),
  pr: z.nullable(z.string()),
  labels: z.array(z.string()),
});
export type EpicView = z.infer<typeof EpicView>;

export const Overview = z.object({
  version: z.literal(OVERVIEW_VERSION),
  stories: z.array(StoryView),
  epics: z.array(EpicView),
  problems: z.array(Problem),
});
export type Overview = z.infer<typeof Overview>;
