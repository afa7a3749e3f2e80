import * as z from 'zod/mini';
import { DraftView, FollowUp } from '../../plan/follow-up.ts';
import { Problem } from '../../words/problem.ts';

/** The `--json` output of `saga drafts`. The key `version` comes first. */
export const DraftsListJson = z.strictObject({
  drafts: z.array(DraftView).check(z.describe('The oldest first.')),
  problems: z.array(Problem),
});
export type DraftsListJson = z.infer<typeof DraftsListJson>;

export const DraftsShowJson = z.strictObject({
  draft: DraftView,
  text: FollowUp.shape.text,
  faults: FollowUp.shape.faults,
  story: z.nullable(z.string()).check(z.describe('The story that it became, or null.')),
});
export type DraftsShowJson = z.infer<typeof DraftsShowJson>;

export const DraftsAcceptJson = z.strictObject({
  number: z.number(),
  story: z.nullable(z.string()).check(z.describe('The story; null if the editor changed nothing.')),
});
export type DraftsAcceptJson = z.infer<typeof DraftsAcceptJson>;

export const DraftsDropJson = z.strictObject({ dropped: z.array(z.number()) });
export type DraftsDropJson = z.infer<typeof DraftsDropJson>;
