import * as z from 'zod/mini';

/**
 * A story that a run proposes. It waits in `.git/saga/runs/drafts/<number>.json` until a person accepts or drops it, and
 * is never a part of the plan by itself.
 */
export const FollowUp = z.object({
  version: z.literal(1),
  number: z.int().check(z.gte(1)),
  state: z.enum(['open', 'accepted', 'dropped']),
  from: z.string().check(z.describe('The story whose run proposed it.')),
  session: z.string(),
  time: z.string().check(z.describe('ISO time.')),
  title: z.string(),
  text: z
    .string()
    .check(z.describe('The story as Markdown. If it has faults, the text of the run.')),
  faults: z.array(z.string()).check(z.describe('Why it cannot be created as it is.')),
  digest: z
    .string()
    .check(
      z.describe("A digest of the story's id and the text, so that no follow-up is kept twice."),
    ),
  story: z.optional(z.string().check(z.describe('The id of the story that it became.'))),
});
export type FollowUp = z.infer<typeof FollowUp>;

/** What every screen shows of a draft. */
export const DraftView = z.strictObject({
  number: z.number(),
  title: z.string(),
  from: FollowUp.shape.from,
  time: FollowUp.shape.time,
  state: FollowUp.shape.state,
  next: z.string().check(z.describe('The command that looks at it.')),
});
export type DraftView = z.infer<typeof DraftView>;

export const viewDraft = ({ number, title, from, time, state }: FollowUp): DraftView => ({
  ...{ number, title, from, time, state, next: `saga drafts show ${number}` },
});
