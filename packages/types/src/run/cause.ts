import * as z from 'zod/mini';
import { CommandStop, GateCheckName } from './evidence.ts';

/** How one headless run of an agent ended. */
const RUN_OUTCOMES = [
  'ok',
  'api-error',
  'unavailable',
  'credential-refused',
  'usage-limit',
  'context-exhausted',
  'budget',
  'max-turns',
  'aborted',
  'crash',
  'usage-error',
] as const;
export const RunOutcome = z.enum(RUN_OUTCOMES);
export type RunOutcome = z.infer<typeof RunOutcome>;

/** Why the worker itself ended a run. */
const STOP_CAUSES = [
  'time',
  'tokens',
  'signal',
  'no-task-tools',
  'guard-silent',
  'credential',
  'worktree-gone',
  'plan-gone',
  'stalled',
] as const;
export const StopCause = z.enum(STOP_CAUSES);
export type StopCause = z.infer<typeof StopCause>;

const limit = <T extends string, F extends z.core.$ZodLooseShape>(of: T, fields: F) =>
  z.object({ kind: z.literal('limit'), of: z.literal(of), ...fields });

/** Which limit ended a worker, with the amounts that matter. */
export const Limit = z.discriminatedUnion('of', [
  limit('time', {}),
  limit('cycles', { most: z.number() }),
  limit('tokens', { spent: z.number() }),
  limit('usd', { spent: z.number() }),
  limit('no-progress', {
    cycles: z.number(),
    last: z.optional(z.object({ outcome: RunOutcome, detail: z.string() })),
  }),
  limit('rounds', { most: z.number() }),
  limit('usage', { detail: z.string() }),
  limit('outage', { detail: z.string() }),
  limit('failures', {
    runs: z.number(),
    last: z.object({ outcome: RunOutcome, detail: z.string() }),
  }),
]);
export type Limit = z.infer<typeof Limit>;

/**
 * Why a worker ended, as data. Code that decides reads these fields; `describeCause` makes the words for
 * people.
 */
export const Cause = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('done'),
    refusal: z.optional(
      z.string().check(z.describe('Why GitHub did not mark the pull request as ready.')),
    ),
    noPullRequest: z.optional(
      z.string().check(z.describe('Why there is no pull request although one is wanted.')),
    ),
  }),
  z.object({ kind: z.literal('blocker'), titles: z.array(z.string()) }),
  z.object({ kind: z.literal('escalated'), tasks: z.array(z.string()) }),
  z.object({
    kind: z.literal('gate'),
    checks: z.array(GateCheckName),
    detail: z.string().check(z.describe('The first check that failed, in words.')),
    stoppedBy: z.optional(
      CommandStop.check(
        z.describe('Why the verify command was ended, if it did not end by itself.'),
      ),
    ),
  }),
  Limit,
  z.object({
    kind: z.literal('stuck'),
    stories: z.array(z.string()).check(z.describe('The stories of an epic that need a person.')),
  }),
  z.object({
    kind: z.literal('epic-done'),
    into: z.optional(z.string().check(z.describe('The branch that everything is merged into.'))),
    stories: z.number().check(z.describe('How many stories the epic has.')),
  }),
  z.object({ kind: z.literal('stopped'), why: z.string() }),
  z.object({ kind: z.literal('error'), code: z.optional(z.string()), message: z.string() }),
]);
export type Cause = z.infer<typeof Cause>;
