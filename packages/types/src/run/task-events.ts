import * as z from 'zod/mini';
import { TaskStatus } from '../plan/task.ts';
import { number, reason, says, text } from './event-fields.ts';

/** The events about tasks and their statuses: a part of the table of all events. */
export const TASK_EVENTS = {
  'task:status': says('The status of a task changed.', {
    task: text,
    from: z.optional(TaskStatus),
    to: TaskStatus,
    why: z.optional(text),
  }),
  'task:escalated': says('A task was tried too often and waits for a person.', {
    task: text,
    attempts: number,
  }),
  'task:split': says('A task was too large. Smaller tasks take its place.', {
    task: text,
    into: z.array(text).check(z.describe('The ids of the smaller tasks.')),
    why: z.enum(['stalled', 'tried', 'grown']),
  }),
  'task:not-split': says('A task was too large, and nobody found smaller tasks for it.', {
    task: text,
    reason,
  }),
  'follow-ups:kept': says('A run proposed stories. They wait as drafts for a person.', {
    drafts: z.array(number).check(z.describe('Their numbers, for saga drafts show.')),
    titles: z.array(text),
  }),
  'follow-ups:refused': says('A run proposed stories that were not all kept as drafts.', {
    reason,
    keptIn: text.check(z.describe('The folder that keeps what the run wrote.')),
  }),
  'sync:ignored': says(
    'A status change was not written: the run may not set this task, the story has no such task, or the status is unknown.',
    {
      task: text,
      status: text,
      why: text,
    },
  ),
  'sync:failed': says('A status change could not be written.', {
    task: text,
    status: text,
    reason,
  }),
} as const;
