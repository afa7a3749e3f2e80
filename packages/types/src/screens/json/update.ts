import * as z from 'zod/mini';

/** The `--json` output of `saga update`. The key `version` comes first. */
const texts = z.array(z.string());

const changes = z
  .array(
    z.strictObject({
      file: z.string(),
      kind: z.enum(['changed', 'added', 'removed']),
      fields: texts.check(z.describe('Those that got another value.')),
    }),
  )
  .check(z.describe('What changed in the plan in the worktree.'));

const disputed = texts.check(
  z.describe('Fields that were changed on both sides, such as `story.json: title`.'),
);

export const UpdateJson = z.strictObject({
  story: z.string(),
  hasWorktree: z
    .boolean()
    .check(
      z.describe(
        'False if the story has neither a worktree nor an open branch: there is nothing to update.',
      ),
    ),
  plan: z.nullable(
    z.strictObject({
      result: z.enum(['current', 'taken']),
      changes,
      disputed,
      droppedEvidence: z
        .boolean()
        .check(z.describe('The evidence was of the old plan: the gate must pass again.')),
    }),
  ),
  base: z.nullable(
    z.strictObject({
      branch: z.string(),
      result: z.enum(['current', 'merged', 'conflict', 'refused']),
      commits: z.number().check(z.describe('Commits of the base that the branch lacked.')),
      files: texts.check(z.describe('Files that conflict.')),
      reason: z.nullable(z.string()).check(z.describe('Why git refused to merge.')),
      told: z
        .nullable(z.enum(['told', 'asked']))
        .check(
          z.describe(
            'Of a conflict. told: the next run is told. asked: a run could not mend it, so it is a question to you.',
          ),
        ),
      changes,
      disputed,
    }),
  ),
  keptIn: z
    .nullable(z.string())
    .check(z.describe('A ref that keeps a copy of uncommitted changes, as before the merge.')),
});
export type UpdateJson = z.infer<typeof UpdateJson>;
