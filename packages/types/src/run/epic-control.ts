import * as z from 'zod/mini';

/** `.git/saga/runs/epics/<id>.json`: what a person wants of a running epic. */
export const EpicControl = z.looseObject({
  isPaused: z._default(z.boolean(), false),
  jobs: z.optional(z.int().check(z.gte(1))),
});
export type EpicControl = z.infer<typeof EpicControl>;
