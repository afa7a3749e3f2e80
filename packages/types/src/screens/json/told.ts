import * as z from 'zod/mini';
import { Delivery, News, NewsKind } from '../../run/news.ts';
import { Problem } from '../../words/problem.ts';
import { COST_GROUPS } from '../costs.ts';
import { WAIT_TARGETS } from '../wait-for.ts';

/** The `--json` output of the commands that tell a person how things stand. The key `version` comes first. */
const amounts = {
  sessions: z.number(),
  runs: z.number(),
  tokens: z.number(),
  costUsd: z
    .number()
    .check(z.describe('Dollars, without the sessions whose model has no known price.')),
  isCostEstimated: z.boolean().check(z.describe('A part of the dollars is estimated from tokens.')),
  unknown: z.number().check(z.describe('Sessions whose model has no known price.')),
};

export const CostsJson = z.strictObject({
  by: z.enum(COST_GROUPS),
  since: z.nullable(z.string()).check(z.describe('ISO time; null for all sessions.')),
  pricesOf: z.string().check(z.describe('The day of the prices that estimates use.')),
  rows: z.array(
    z.strictObject({
      key: z
        .string()
        .check(z.describe('An id, a model or a day. Empty for stories that are in no epic.')),
      ...amounts,
    }),
  ),
  total: z.strictObject(amounts),
  problems: z.array(Problem),
});
export type CostsJson = z.infer<typeof CostsJson>;

export const WaitJson = z.strictObject({
  for: z.enum(WAIT_TARGETS),
  isReached: z.boolean(),
  isTimeUp: z.boolean(),
  exitCode: z.number(),
  text: z.string().check(z.describe('How it ended, in one line.')),
  items: z.array(z.strictObject({ id: z.string(), state: z.string(), exitCode: z.number() })),
});
export type WaitJson = z.infer<typeof WaitJson>;

export const NotifyJson = z.strictObject({
  on: z.array(NewsKind).check(z.describe('What you are told of.')),
  ways: z.array(z.string()).check(z.describe('How you are told, in words.')),
  tried: z.optional(
    z.strictObject({ news: News, deliveries: z.array(Delivery) }).check(z.describe('With --test.')),
  ),
  failures: z
    .array(
      z.strictObject({
        item: z.string(),
        on: NewsKind,
        time: z.string(),
        deliveries: z.array(Delivery),
      }),
    )
    .check(z.describe('The last news of an item, where you could not be told in every way.')),
});
export type NotifyJson = z.infer<typeof NotifyJson>;
