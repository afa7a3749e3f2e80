import * as z from 'zod/mini';

/** The `--json` outputs of `saga diff` and `saga land`. The key `version` comes first. */
const lines = z.nullable(z.number()).check(z.describe('null for a binary file.'));

export const DiffJson = z.strictObject({
  item: z.string().check(z.describe('The story or the epic.')),
  kind: z.enum(['story', 'epic']),
  base: z.string().check(z.describe('The branch that the work is merged into.')),
  head: z.string().check(z.describe('The branch with the work; of merged work a commit.')),
  from: z.string().check(z.describe('The commit in which the work began.')),
  to: z.string().check(z.describe('The last commit of the work.')),
  isMerged: z.boolean(),
  files: z.array(z.strictObject({ path: z.string(), added: lines, removed: lines })),
  planFiles: z.number().check(z.describe('Changed files of the plan that are left out.')),
  uncommitted: z
    .array(z.string())
    .check(z.describe('Files in the worktree with changes that no commit has, so no diff either.')),
});
export type DiffJson = z.infer<typeof DiffJson>;
