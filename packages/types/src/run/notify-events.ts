import * as z from 'zod/mini';
import { note, reason, says } from './event-fields.ts';
import { NEWS_KINDS, NOTIFY_CHANNELS } from './news.ts';

const news = {
  on: z.enum(NEWS_KINDS).check(z.describe('What happened.')),
  item: note('The story or the epic that it happened to.'),
  by: z.enum(NOTIFY_CHANNELS).check(z.describe('How the person was told.')),
};

/** The events about telling a person what happened: a part of the table of all events. */
export const NOTIFY_EVENTS = {
  'notify:sent': says('The person was told what happened, as the settings `notify` say.', news),
  'notify:failed': says('The person could not be told in this way. The work is not affected.', {
    ...news,
    reason,
  }),
} as const;
