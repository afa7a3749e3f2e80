import * as z from 'zod/mini';
import { DraftView } from '../../plan/follow-up.ts';
import { Evidence } from '../../run/evidence.ts';
import { OutcomeKind, SessionRecord } from '../../run/session-record.ts';
import { Problem } from '../../words/problem.ts';
import { Finding } from '../finding.ts';
import { InboxItem } from '../overview.ts';
import { SESSION_STATES } from '../story-state.ts';
import { JournalEntry } from './plan.ts';

/** The `--json` output of the commands that run stories. The key `version` comes first. */
const problems = z.array(Problem);

const session = { story: z.string(), session: z.string(), outputFile: z.string() };

export const StartedJson = z.strictObject({
  ...session,
  state: z
    .enum(['started', 'starting'])
    .check(z.describe('starting: the worker lives, but is not under way yet.')),
});

export const WorkerJson = z.strictObject({
  ...session,
  outcome: OutcomeKind,
  reason: z.string(),
  exitCode: z.number(),
});
export type WorkerJson = z.infer<typeof WorkerJson>;

export const GateJson = z.strictObject({
  ...WorkerJson.shape,
  evidence: z
    .nullable(Evidence)
    .check(z.describe('What the gate found; null if it was stopped before its end.')),
});
export type GateJson = z.infer<typeof GateJson>;

export const FeedbackJson = z.strictObject({
  story: z.string(),
  entry: JournalEntry,
  file: z.string(),
});
export type FeedbackJson = z.infer<typeof FeedbackJson>;

export const TellJson = z.strictObject({
  story: z.string(),
  id: z.nullable(z.string()).check(z.describe('Of the message; null if it went into the journal.')),
  session: z.nullable(z.string()),
  result: z
    .enum(['sent', 'heard', 'kept'])
    .check(z.describe('`heard`: the run has read it. `kept`: it is Feedback for the next run.')),
});
export type TellJson = z.infer<typeof TellJson>;

export const DryRunJson = z.strictObject({
  epic: z.string(),
  jobs: z.number(),
  levels: z.array(z.array(z.string())).check(z.describe('Stories that are not merged yet.')),
  criticalPath: z.array(z.string()),
  overlaps: z
    .array(z.tuple([z.string(), z.string()]))
    .check(z.describe('Pairs that write the same files, so they never run together.')),
  timeline: z
    .array(z.strictObject({ id: z.string(), from: z.number(), to: z.number() }))
    .check(z.describe('In units of one story.')),
  estimate: z
    .nullable(z.strictObject({ minutes: z.number(), usd: z.number(), basedOn: z.number() }))
    .check(z.describe('By the medians of earlier stories; null if there are none.')),
});
export type DryRunJson = z.infer<typeof DryRunJson>;

export const PauseJson = z.strictObject({ epic: z.string(), isPaused: z.boolean() });
export type PauseJson = z.infer<typeof PauseJson>;

export const RunJson = z.union([
  StartedJson,
  WorkerJson,
  DryRunJson,
  z
    .strictObject({ epic: z.string(), jobs: z.number() })
    .check(z.describe('The number of jobs of a running epic was changed.')),
  z
    .strictObject({ story: z.string(), handedOver: z.enum(['queued', 'already']) })
    .check(z.describe('With --engine. already: it is queued or being worked on.')),
]);
export type RunJson = z.infer<typeof RunJson>;

export const RehearseJson = z.strictObject({
  story: z.string(),
  holds: z.boolean(),
  findings: z.array(Finding),
  outputFile: z.string(),
  elapsedMs: z.number(),
  kept: z.nullable(z.strictObject({ branch: z.string(), worktree: z.string() })),
});
export type RehearseJson = z.infer<typeof RehearseJson>;

export const ListedSession = z.extend(SessionRecord, {
  state: z.enum(SESSION_STATES),
  exitCode: z.nullable(z.number()),
});
export const SessionsJson = z.strictObject({
  sessions: z.array(ListedSession),
  omitted: z.number().check(z.describe('The number of older sessions; --all lists them too.')),
  problems,
});
export type SessionsJson = z.infer<typeof SessionsJson>;

/** The events of an output file, unchanged. The other keys depend on the type. */
export const LogJson = z.looseObject({
  time: z.string(),
  type: z.string().check(z.describe('The type, such as `run:end`. The other keys depend on it.')),
});
export type LogJson = z.infer<typeof LogJson>;

export const StopJson = z.union([
  z.strictObject({
    session: z.string(),
    story: z.string(),
    result: z.enum(['stopped', 'killed', 'was-over']),
  }),
  z.strictObject({
    story: z.string(),
    result: z.enum(['forgotten', 'nothing-to-forget']),
    sessions: z.array(z.string()).check(z.describe('With --forget: the sessions that were ended.')),
  }),
  z
    .strictObject({
      story: z.string(),
      result: z.enum(['withdrawn', 'stopped', 'told']),
      machine: z.optional(z.string()),
    })
    .check(
      z.describe('In a fleet. withdrawn: it was queued. told: the machine has not stopped yet.'),
    ),
]);
export type StopJson = z.infer<typeof StopJson>;

export const InboxJson = z.strictObject({
  items: z.array(InboxItem).check(z.describe('The oldest first.')),
  drafts: z
    .array(DraftView)
    .check(z.describe('Stories that runs propose. They are no stories yet.')),
  problems,
});
export type InboxJson = z.infer<typeof InboxJson>;

export const BlockersJson = z.strictObject({
  blockers: z.array(z.strictObject({ story: z.string(), ...JournalEntry.shape })),
  problems,
});
export type BlockersJson = z.infer<typeof BlockersJson>;

export const ResolveJson = z.strictObject({
  story: z.string(),
  entry: JournalEntry,
  file: z.string(),
  openBlockers: z.number().check(z.describe('The number of blockers that are still open.')),
});
export type ResolveJson = z.infer<typeof ResolveJson>;

export const VerifyJson = z.strictObject({
  story: z.string(),
  holds: z.boolean(),
  findings: z.array(
    z.strictObject({
      what: z.string(),
      holds: z.boolean(),
      skipped: z.optional(
        z
          .literal(true)
          .check(z.describe('The check was not made, because nothing is configured for it.')),
      ),
      detail: z.string(),
    }),
  ),
  evidence: Evidence,
});
export type VerifyJson = z.infer<typeof VerifyJson>;
