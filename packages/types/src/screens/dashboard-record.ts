import * as z from 'zod/mini';

/** `.saga/runs/dashboard.json`: where the dashboard of this project is, while it serves. */
export const DashboardRecord = z.looseObject({
  version: z.literal(1),
  /** Process, and when it started as the kernel counts: a number alone may be reused. */
  host: z.string(),
  pid: z.number(),
  started: z.number(),
  place: z.optional(
    z.string().check(z.describe('Machine, boot and table of process numbers, each shortened.')),
  ),
  url: z.string().check(z.describe('Without the token, which only actions need.')),
});
export type DashboardRecord = z.infer<typeof DashboardRecord>;
