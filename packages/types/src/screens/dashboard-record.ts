import * as z from 'zod/mini';

/** `.git/saga/runs/dashboard.json`: the address of this project's dashboard while it runs. */
export const DashboardRecord = z.looseObject({
  version: z.literal(1),
  /**
   * The process: its host, its number, and its start time in ticks of the kernel, because a number may be used again.
   */
  host: z.string(),
  pid: z.number(),
  started: z.number(),
  place: z.optional(
    z.string().check(z.describe('Machine, boot and table of process numbers, each shortened.')),
  ),
  url: z.string().check(z.describe('The address without the token. Only actions need the token.')),
});
export type DashboardRecord = z.infer<typeof DashboardRecord>;
