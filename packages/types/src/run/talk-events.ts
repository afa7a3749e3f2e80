import * as z from 'zod/mini';
import { note, says, text } from './event-fields.ts';

const id = note('Of the message.');

/** The events about what people say to a run while it works: a part of the table of all events. */
export const TALK_EVENTS = {
  'message:sent': says('A message of a person was given to the agent.', {
    id,
    from: text,
    text,
    interrupts: z.optional(
      z.boolean().check(z.describe('The agent was asked to stop what it did at the moment.')),
    ),
  }),
  'message:heard': says('The run has read the message.', { id, from: text, text }),
  'message:kept': says(
    'No run read the message. It is in the journal as Feedback for the next run.',
    { id, from: text, text },
  ),
  'messages:failed': says(
    'Messages cannot be read, or one that was read cannot be removed. The run continues.',
    { reason: note('Why, in words.') },
  ),
  'run:heard': says('The agent took up its prompt or a message.', {
    id: note('Of the message or the prompt.'),
    claude: z.optional(z.unknown().check(z.describe('The unchanged line of Claude Code.'))),
  }),
  'answer:waiting': says('A blocker is open. The worker waits for an answer.', {
    until: text,
    reason: note('The titles of the blockers, as one text.'),
    titles: z.optional(z.array(z.string()).check(z.describe('The titles of the blockers.'))),
  }),
  'answer:waited': says('The worker has stopped waiting for an answer.', {}),
} as const;
