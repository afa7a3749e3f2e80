import * as z from 'zod/mini';
import { NEWS_KINDS, NewsKind } from './run/news.ts';

const word = z.string().check(z.minLength(1));

/** The group `notify` of the settings: what a person is told of, and how. */
export const NotifySettings = z.strictObject({
  on: z
    ._default(z.array(NewsKind), [...NEWS_KINDS])
    .check(
      z.describe(
        'What you are told of. needs-you: a story waits for you. in-review: its gate passed. done: it was merged by an epic. failed: a worker ended with an error or at a limit. epic-done: all stories of an epic are done.',
      ),
    ),
  command: z
    ._default(z.nullable(z.array(word).check(z.minLength(1))), null)
    .check(
      z.describe(
        'A program and its arguments, started without a shell for each news; it reads the news as JSON from its standard input.',
      ),
    ),
  webhook: z
    ._default(
      z.nullable(
        z
          .string()
          .check(z.refine((it) => isWebAddress(it), 'must be an address with http:// or https://')),
      ),
      null,
    )
    .check(z.describe('An address to which each news is sent as JSON, by POST.')),
  desktop: z
    ._default(z.boolean(), false)
    .check(z.describe('Show each news on the desktop, by notify-send or on macOS by osascript.')),
  bell: z
    ._default(z.boolean(), false)
    .check(z.describe("Ring the bell of the worker's terminal, and of saga watch.")),
  timeout: z
    ._default(z.number().check(z.positive(), z.lte(60)), 10)
    .check(z.describe('Seconds after which a command or a webhook is given up, at most 60.')),
});
export type NotifySettings = z.infer<typeof NotifySettings>;

function isWebAddress(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol);
  } catch {
    // Not an address at all.
    return false;
  }
}
