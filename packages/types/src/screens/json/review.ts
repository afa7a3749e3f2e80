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

export const LandJson = z.strictObject({
  item: z.string().check(z.describe('The story or the epic.')),
  kind: z.enum(['story', 'epic']),
  result: z
    .enum(['landed', 'already', 'later'])
    .check(
      z.describe(
        'already: it was merged before. later: GitHub merges it as soon as its rules allow it.',
      ),
    ),
  by: z
    .nullable(z.enum(['pull-request', 'merge']))
    .check(z.describe('Who merged: GitHub, or this machine. null if it was merged before.')),
  base: z.string(),
  commit: z.string().check(z.describe('The commit of the base.')),
  pullRequest: z.nullable(z.string()).check(z.describe('Its address.')),
  verified: z
    .nullable(z.enum(['gate', 'verify', 'none']))
    .check(
      z.describe(
        'gate: the files are those that the gate checked. verify: the verify command ran again on the merged files. none: there is no such command.',
      ),
    ),
  checkout: z
    .enum(['forwarded', 'absent', 'left', 'untouched'])
    .check(
      z.describe(
        'The local branch that was merged into. left: it stays behind, because changes that nobody committed are in the way.',
      ),
    ),
  removedWorktrees: z.array(z.string()),
  kept: z.array(z.string()).check(z.describe('Refs of the trash that keep what was removed.')),
  left: z.array(z.string()).check(z.describe('What could not be removed, and why.')),
});
export type LandJson = z.infer<typeof LandJson>;
