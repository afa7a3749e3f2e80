import * as z from 'zod/mini';
import { Id } from './id-schema.ts';
import { StoryWorker } from './model-settings.ts';
import { SchemaField } from './schema-field.ts';

/** `.saga/stories/<id>/story.json`. It has no status field: the status is derived from the tasks. */
export const Story = z.looseObject({
  $schema: SchemaField,
  id: Id,
  title: z.string().check(z.minLength(1)),
  description: z.string().check(z.describe('The goal and its context.')),
  epic: z.optional(Id),
  guidance: z.optional(z.string().check(z.describe('How to approach the work.'))),
  doneWhen: z.optional(z.string().check(z.describe('A testable completion criterion.'))),
  avoid: z.optional(z.string().check(z.describe('What not to do.'))),
  writeFiles: z.optional(
    z.array(z.string()).check(z.describe('Globs of the files that the story may change.')),
  ),
  verify: z.optional(
    z.string().check(z.describe('Shell command of the gate; it must exit with 0.')),
  ),
  worker: z.optional(
    StoryWorker.check(z.describe('The models of its runs, instead of those of the settings.')),
  ),
  needs: z.optional(
    z
      .array(z.string().check(z.regex(/^[a-z0-9][a-z0-9._-]*$/)))
      .check(z.describe('Labels that a machine of a fleet must have to work on the story.')),
  ),
  labels: z.optional(z.array(z.string())),
  issue: z.optional(
    z
      .string()
      .check(
        z.describe(
          'Address of the issue that the story came from. Its pull request closes the issue.',
        ),
      ),
  ),
  branch: z.optional(z.string().check(z.describe('The branch. A worker writes it.'))),
  pr: z.optional(z.string().check(z.describe('Address of the pull request. A worker writes it.'))),
  worktree: z.optional(z.string().check(z.describe('The worktree. A worker writes it.'))),
});
export type Story = z.infer<typeof Story>;
