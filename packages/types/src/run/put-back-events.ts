import * as z from 'zod/mini';
import { note, says, text, files as texts } from './event-fields.ts';

const keptIn = z.optional(note('The folder that keeps what the run wrote.'));

/** The events about what a run changed although it may not: a part of the table of all events. */
export const PUT_BACK_EVENTS = {
  'definitions:restored': says('A run changed the plan. The plan was restored.', {
    files: texts,
    keptIn,
  }),
  'tests:restored': says(
    'A run that may only write tests changed other files. They were restored.',
    { files: texts },
  ),
  'task:restored': says(
    'A run for one task changed files that the task may not change. They were restored.',
    { files: texts },
  ),
  'tests:kept': says('A run changed tests that were written for a task. They were restored.', {
    files: texts,
  }),
  'tests:accepted': says('The tests of a task are written, and fail as they should.', {
    task: text,
    files: texts,
  }),
  'tests:refused': says('The tests of a task are missing, or pass before the work is done.', {
    task: text,
    reason: note('Why, in words.'),
  }),
  'journal:restored': says(
    "A run changed entries of the journal, or wrote entries that only people write. Changed entries were restored, and the run's own Resolutions and Feedback were taken out. Its other new entries stay.",
    {
      isRewritten: z.boolean().check(z.describe('Earlier entries were changed or removed.')),
      dropped: texts.check(
        z.describe('Titles of the Resolutions and Feedback of the run. They do not count.'),
      ),
      keptIn,
    },
  ),
  'elsewhere:restored': says(
    "A run changed git's settings, hooks or refs outside its branch. They were restored.",
    {
      what: texts.check(z.describe('Files, settings in brackets, and refs.')),
      keptIn,
      refs: z
        .array(z.object({ name: text, ref: text }))
        .check(z.describe('The refs that keep what would be lost.')),
    },
  ),
  'elsewhere:noticed': says(
    'Something outside the worktree changed while a run worked. It may have been a person, so it was left as it is.',
    { what: texts },
  ),
  'plan:differs': says(
    'The plan on the branch differs from the one in the base and from the one in the main checkout. A person may have edited it.',
    { files: texts },
  ),
} as const;
