import * as z from 'zod/mini';
import { Id } from './id-schema.ts';

/** `.saga/stories/<id>/story.json`. It stores no status: that is derived from the tasks. */
export const Story = z.looseObject({
  id: Id,
  title: z.string().check(z.minLength(1)),
  description: z.string().check(z.describe('The goal and its context.')),
  epic: z.optional(Id),
  guidance: z.optional(z.string().check(z.describe('How to approach the work.'))),
  doneWhen: z.optional(z.string().check(z.describe('A testable completion criterion.'))),
  avoid: z.optional(z.string().check(z.describe('What not to do.'))),
  writeFiles: z.optional(
    z.array(z.string()).check(z.describe('Globs the story expects to change.')),
  ),
  verify: z.optional(z.string().check(z.describe('Command that must exit 0 before review.'))),
  labels: z.optional(z.array(z.string())),
  branch: z.optional(z.string().check(z.describe('Written at execution.'))),
  pr: z.optional(z.string().check(z.describe('Pull request address, written at execution.'))),
  worktree: z.optional(z.string().check(z.describe('Written at execution.'))),
});
export type Story = z.infer<typeof Story>;
