import * as z from 'zod/mini';
import { note, says } from './event-fields.ts';

const SIGNS = ['output', 'processor', 'io', 'process', 'files', 'waiting'] as const;
/** What shows that a run works: see docs/decisions/0086. */
export const Sign = z.enum(SIGNS);
export type Sign = z.infer<typeof Sign>;

const sign = Sign.check(z.describe('What showed that the run works.'));

/** The events about signs of life of a run: a part of the table of all events. */
export const CHECK_IN_EVENTS = {
  'run:quiet': says('A check-in found no new output of the run, but another sign of life.', {
    sign,
  }),
  'run:silent': says(
    'Several check-ins in a row found no sign of life of the run. The run is asked what it waits for.',
    {
      since: note('ISO time of the last check-in that found a sign, or of the start of the run.'),
      call: z.optional(note('The last tool call, in words.')),
    },
  ),
  'run:alive': says('A run that was silent shows signs of life again.', { sign }),
} as const;
