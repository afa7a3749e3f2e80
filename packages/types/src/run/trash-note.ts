import * as z from 'zod/mini';

/** Why something is in the trash: the command that put it there. */
export const TRASH_REASONS = ['discard', 'reset', 'delete', 'clean', 'land'] as const;

const commit = z.string().check(z.regex(/^[0-9a-f]{40,64}$/));

/** What SAGA notes of a story in the trash, beside its files and commits. */
export const TrashNote = z.looseObject({
  version: z.literal(1),
  story: z.string().check(z.describe('The id of the story, or of the epic.')),
  isEpic: z.optional(z.boolean()),
  why: z.enum(TRASH_REASONS),
  at: z.string().check(z.describe('ISO time.')),
  branch: z.nullable(z.string()).check(z.describe('null if the story had no branch.')),
  tip: z.nullable(commit).check(z.describe('The newest commit of the branch.')),
  head: z
    .nullable(z.string())
    .check(z.describe('HEAD of the worktree, as in its file; null without a worktree.')),
  folder: z.nullable(z.string()).check(z.describe('Where the worktree was.')),
  changed: z
    .array(z.string())
    .check(z.describe('The first files of the worktree that no commit had, at most 50.')),
  changedCount: z.number().check(z.describe('The number of those files.')),
  commits: z.number().check(z.describe('Commits of the branch that neither base nor remote has.')),
  left: z.array(z.strictObject({ ref: z.string(), commit })),
  plan: z.optional(
    z
      .strictObject({
        epic: z.optional(z.string()),
        blockedBy: z.array(z.string()),
        dependents: z.array(z.string()),
      })
      .check(z.describe('Only of a deleted item: where it stood in its epic.')),
  ),
});
export type TrashNote = z.infer<typeof TrashNote>;
