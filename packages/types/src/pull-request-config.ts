import * as z from 'zod/mini';

const count = z.int().check(z.gte(1));
const texts = z._default(z.array(z.string().check(z.minLength(1))), []);

/** The settings of pull requests: a part of `Config`. */
export const PullRequestConfig = z.prefault(
  z.strictObject({
    mode: z
      ._default(z.enum(['auto', 'off']), 'auto')
      .check(
        z.describe(
          'auto: a draft is opened on GitHub if gh and a remote there are available. off: no pull request; the branch is pushed, and saga land merges here.',
        ),
      ),
    labels: texts.check(z.describe('Labels of a new pull request.')),
    reviewers: texts.check(
      z.describe('Who is asked for a review when the pull request becomes ready.'),
    ),
    mergeMethod: z
      ._default(z.enum(['merge', 'squash', 'rebase']), 'merge')
      .check(z.describe('How saga land merges a pull request on GitHub.')),
    follow: z
      ._default(z.boolean(), false)
      .check(
        z.describe(
          'After the gate, watch the pull request: red checks, reviews that request changes, open threads and conflicts become feedback for a run.',
        ),
      ),
    followRounds: z
      ._default(count, 3)
      .check(z.describe('How often a worker that follows its pull request starts work again.')),
    followHours: z
      ._default(z.number().check(z.positive()), 24)
      .check(z.describe('Hours after which a worker stops to follow its pull request.')),
    followSeconds: z
      ._default(z.number().check(z.positive()), 60)
      .check(
        z.describe(
          'Seconds between two looks at a pull request. While nothing happens, the pause grows to ten times that.',
        ),
      ),
    trust: texts.check(
      z.describe(
        'Logins on GitHub whose remarks are worked on although they cannot write to the repository. * for everybody.',
      ),
    ),
    resolveThreads: z
      ._default(z.boolean(), false)
      .check(z.describe('Resolve a thread after it was answered with commits.')),
  }),
  {},
);
