import * as z from 'zod/mini';
import { TaskId } from './id-schema.ts';
import { JOURNAL_KINDS } from './journal.ts';
import { SchemaField } from './schema-field.ts';
import { TASK_STATUSES } from './status.ts';

export const TaskStatus = z.enum(TASK_STATUSES);
export type TaskStatus = z.infer<typeof TaskStatus>;

/** What a scripted model does for a task when the story is rehearsed. */
export const Rehearsal = z.looseObject({
  write: z.optional(
    z.record(z.string(), z.string()).check(z.describe('Files to write: path to content.')),
  ),
  run: z.optional(z.array(z.string()).check(z.describe('Shell commands to run, in order.'))),
  commit: z.optional(z.string().check(z.describe('Commit everything with this message.'))),
  journal: z.optional(
    z.looseObject({ kind: z.enum(JOURNAL_KINDS), title: z.string(), body: z.optional(z.string()) }),
  ),
  blocker: z.optional(z.looseObject({ title: z.string(), body: z.optional(z.string()) })),
});
export type Rehearsal = z.infer<typeof Rehearsal>;

/** How the latest attempt at a task ended. */
export const ATTEMPT_OUTCOMES = ['completed', 'failed', 'stalled', 'context_exhausted'] as const;
export const AttemptOutcome = z.enum(ATTEMPT_OUTCOMES);
export type AttemptOutcome = z.infer<typeof AttemptOutcome>;

/** `<task-id>.json` in a story folder. Unknown fields belong to the user and are kept at every rewrite. */
export const Task = z.looseObject({
  $schema: SchemaField,
  id: TaskId,
  subject: z.string().check(z.minLength(1), z.describe('Short imperative title.')),
  description: z.string().check(z.describe('Everything that a run needs to know for the task.')),
  status: TaskStatus,
  blockedBy: z
    .array(TaskId)
    .check(z.describe('Tasks of the same story that must be completed first.')),
  activeForm: z.optional(
    z.string().check(z.describe('Shown while the task is in progress, such as "Writing tests".')),
  ),
  guidance: z.optional(z.string().check(z.describe('How to approach the work.'))),
  doneWhen: z.optional(z.string().check(z.describe('A testable completion criterion.'))),
  needsTests: z.optional(
    z
      .boolean()
      .check(
        z.describe(
          'A run of its own writes the tests first, and the run for the work may not change them.',
        ),
      ),
  ),
  noChange: z.optional(
    z
      .string()
      .check(
        z.minLength(1),
        z.describe(
          'Why this task need not change any file. If all tasks say so, the gate passes without a change.',
        ),
      ),
  ),
  area: z.optional(z.string()),
  labels: z.optional(z.array(z.string())),
  writeFiles: z.optional(
    z.array(z.string()).check(z.describe('Globs of the files that the task may change.')),
  ),
  splitFrom: z.optional(
    TaskId.check(z.describe('The task that this one is a part of. A worker writes it.')),
  ),
  rehearsal: z.optional(Rehearsal),
  attempts: z.optional(
    z
      .int()
      .check(
        z.gte(0),
        z.describe('Number of runs that left the task unfinished. A worker writes it.'),
      ),
  ),
  lastOutcome: z.optional(AttemptOutcome),
  escalated: z.optional(
    z
      .boolean()
      .check(
        z.describe('The task was tried too often and waits for a person. A worker writes it.'),
      ),
  ),
});
export type Task = z.infer<typeof Task>;
