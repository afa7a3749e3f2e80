import * as z from 'zod/mini';
import { files, note, number, reason, says, text } from './event-fields.ts';
import { OutcomeKind } from './session-record.ts';

/** The events of the scheduler of an epic. */
export const EPIC_EVENTS = {
  'epic:start': says('The scheduler of an epic begins.', {
    epic: text,
    jobs: number.check(z.describe('How many stories are worked on at the same time.')),
    stories: number.check(z.describe('How many stories the epic has, at any depth.')),
  }),
  'epic:branch': says('The branch of an epic was created, or moved to what the remote has.', {
    branch: text,
    commit: text,
    isNew: z.boolean(),
  }),
  'epic:started': says('A worker of a story was started.', { story: text, session: text }),
  'epic:not-started': says('A worker could not be started. The story needs a person.', {
    story: text,
    reason,
    hint: z.optional(note('What to do about it.')),
  }),
  'epic:ended': says('A worker of a story ended.', { story: text, kind: OutcomeKind, reason }),
  'epic:stopping': says(
    'The epic is over, and these workers commit and push before they end. Written every few seconds until they have ended.',
    { stories: z.array(text) },
  ),
  'epic:merge': says('A story that passed its gate, or an inner epic, is merged and verified.', {
    story: text,
    into: text,
  }),
  'epic:merged': says('The branch of the epic has moved to the merged and verified result.', {
    story: text,
    into: text,
    commit: text,
    verified: z
      .enum(['gate', 'verify', 'none'])
      .check(
        z.describe(
          'gate: the result is what the gate of the story checked. verify: the command passed on the result. none: there is no command.',
        ),
      ),
  }),
  'epic:not-merged': says('The branch of the epic stays as it was.', {
    story: text,
    into: text,
    why: z.enum(['conflict', 'verify', 'moved', 'refused']),
    detail: text,
    files: z.optional(files),
    isTold: z.boolean().check(z.describe('A run of the story is told of it and tries to mend it.')),
  }),
  'epic:foretold': says('Two stories that are being worked on have changed the same lines.', {
    stories: z.array(text),
    files,
  }),
  'epic:waits': says('Nothing can go on without a person.', {
    stories: z.array(text).check(z.describe('The stories that need a person.')),
    cutOff: z.array(text).check(z.describe('The stories that wait for them.')),
  }),
  'epic:changed': says('A person paused or continued the epic, or changed its number of jobs.', {
    isPaused: z.boolean(),
    jobs: number,
  }),
} as const;
