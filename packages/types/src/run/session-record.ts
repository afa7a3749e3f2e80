import * as z from 'zod/mini';
import { Cause } from './cause.ts';

/** How a worker ended. The exit code follows from the outcome. */
const OUTCOMES = ['done', 'error', 'limit', 'needs-you', 'stopped'] as const;
export const OutcomeKind = z.enum(OUTCOMES);
export type OutcomeKind = z.infer<typeof OutcomeKind>;

export const EXIT_CODES: Readonly<Record<OutcomeKind, number>> = {
  done: 0,
  error: 1,
  limit: 2,
  stopped: 2,
  'needs-you': 3,
};

/** What a living worker waits for before its next run. */
export const Waiting = z
  .object({
    for: z.enum(['usage-limit', 'outage', 'answer']),
    until: z.string().check(z.describe('ISO time.')),
    reason: z.string().check(z.describe("The agent's own words.")),
  })
  .check(z.describe('What the worker waits for before its next run.'));
export type Waiting = z.infer<typeof Waiting>;

/** What one model used in a session. */
export const ModelSpent = z.object({
  tokens: z.number(),
  costUsd: z.number(),
  isCostEstimated: z.optional(z.boolean()),
  isCostUnknown: z.optional(z.boolean()),
});
export type ModelSpent = z.infer<typeof ModelSpent>;

/** A pull request that a worker watches. */
export const Following = z.object({
  number: z.number(),
  checks: z.number().check(z.describe('How many of its checks have not ended.')),
});
export type Following = z.infer<typeof Following>;

/** Why the scheduler of an epic leaves a story or an inner epic alone. It holds as long as the item is as it was. */
export const Trouble = z.object({
  item: z.string(),
  reason: z.string(),
  next: z.string().check(z.describe('The command that helps.')),
  remedy: z.optional(z.string().check(z.describe('What to do before that command.'))),
  since: z.string().check(z.describe('ISO time.')),
  state: z.string().check(z.describe('The state of the item, apart from this.')),
  tips: z
    .array(z.string())
    .check(z.describe('The newest commits of its branch, here and on the remote.')),
});
export type Trouble = z.infer<typeof Trouble>;

/** `sessions/<session>.json` among the repository's records: the state of a worker, while it runs and after its end. */
export const SessionRecord = z.looseObject({
  version: z.literal(1),
  session: z.string(),
  story: z.string().check(z.describe('The id of the story, or of the epic.')),
  isEpic: z.optional(z.boolean().check(z.describe('The session is of the scheduler of an epic.'))),
  /**
   * The process: its host, its number, and its start time in ticks of the kernel, because a number may be used again.
   */
  host: z.string(),
  pid: z.number(),
  started: z.number(),
  place: z.optional(
    z.string().check(z.describe('Machine, boot and table of process numbers, each shortened.')),
  ),
  machine: z.optional(
    z
      .string()
      .check(
        z.describe(
          'The machine of the fleet on which the session is or was, if that is not this one.',
        ),
      ),
  ),
  isLost: z.optional(
    z.boolean().check(z.describe('That machine lost its lease before the session had an end.')),
  ),
  outputFile: z.string(),
  tmux: z.boolean(),
  tmuxSocket: z.optional(
    z
      .string()
      .check(
        z.describe(
          'Socket of the tmux server. Missing outside tmux, and in records of old versions.',
        ),
      ),
  ),
  startedAt: z.string(),
  startedIn: z.optional(
    z.string().check(z.describe('The checkout of the repository in which it was started.')),
  ),
  model: z.string(),
  cycle: z.number(),
  tokens: z.number(),
  costUsd: z.number(),
  isCostEstimated: z.optional(
    z
      .boolean()
      .check(z.describe('The dollars of a run that is not over, or was cut off, are estimated.')),
  ),
  isCostUnknown: z.optional(
    z
      .boolean()
      .check(z.describe('No price of the model is known, so costUsd is only a guess for budgets.')),
  ),
  models: z.optional(
    z
      .record(z.string(), ModelSpent)
      .check(z.describe('What each model cost, by the name that the agent reports.')),
  ),
  task: z.optional(z.string().check(z.describe('The task in progress, in words.'))),
  activity: z.optional(z.string().check(z.describe('The last tool call, in words.'))),
  waiting: z.optional(Waiting),
  following: z.optional(Following),
  troubles: z.optional(
    z.array(Trouble).check(z.describe('What the scheduler of an epic cannot start or merge.')),
  ),
  silentSince: z.optional(
    z.string().check(z.describe('Since when the run shows no sign of life. It was asked why.')),
  ),
  endedAt: z.optional(z.string()),
  outcome: z.optional(OutcomeKind),
  reason: z.optional(z.string()),
  hint: z.optional(z.string().check(z.describe('What to do about an error.'))),
  cause: z.optional(Cause.check(z.describe('Why the worker ended, as data: see events.md.'))),
  discardedAt: z.optional(
    z.string().check(z.describe('When its work was discarded (ISO time): it no longer counts.')),
  ),
});
export type SessionRecord = z.infer<typeof SessionRecord>;
