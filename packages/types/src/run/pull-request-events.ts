import * as z from 'zod/mini';
import { note, number, reason, says, text } from './event-fields.ts';

const pull = { number, url: text };
const title = note('The remark or the check, on one line.');

/** The events about a pull request, also while a worker watches it: a part of the table of all events. */
export const PULL_REQUEST_EVENTS = {
  'pull-request:start': says('The worker looks for the pull request or opens it.', {}),
  'pull-request:found': says('The story has an open pull request.', {
    ...pull,
    draft: z.boolean(),
  }),
  'pull-request:created': says('A draft pull request was opened.', {
    ...pull,
    earlier: z.optional(z.object({ number, state: text })),
  }),
  'pull-request:skipped': says('The worker continues without a pull request.', {
    reason,
    compare: z.optional(note('The page on which a person can compare the branch and open one.')),
  }),
  'pull-request:ready': says('The pull request is ready for review.', {
    ...pull,
    wasDraft: z.boolean(),
  }),
  'pull-request:not-ready': says('GitHub refused to mark the pull request as ready.', {
    number,
    reason,
  }),
  'pull-request:not-updated': says('GitHub refused a change of the pull request.', {
    number,
    what: z.enum(['labels', 'reviewers', 'text']),
    reason,
  }),

  'follow:start': says('The worker watches the pull request. No model is asked meanwhile.', {
    number,
    rounds: number.check(z.describe('How often it may still let runs work on what it finds.')),
  }),
  'follow:checks': says(
    'The worker waits for the checks of the pull request, or they have ended. Told when the number changes.',
    {
      number,
      running: number.check(z.describe('How many checks have not ended.')),
    },
  ),
  'follow:found': says('The pull request asks for work.', {
    what: z.enum(['check', 'review', 'thread', 'conflict']),
    title,
  }),
  'follow:ignored': says('Something on the pull request is not worked on. Told once.', {
    title,
    reason,
  }),
  'follow:round': says('What was found is in the journal as Feedback, and a run works on it.', {
    round: number,
    most: number,
    remarks: number,
  }),
  'follow:answered': says('A thread was answered with the commits of the run.', {
    title,
    thread: text,
    isResolved: z.boolean(),
  }),
  'follow:not-answered': says('A thread could not be answered. The worker tries again later.', {
    title,
    thread: text,
    reason,
  }),
  'follow:failed': says('GitHub did not answer. The worker asks again later.', { reason }),
  'follow:end': says('The worker stops watching the pull request.', { reason }),
} as const;
