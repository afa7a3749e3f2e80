import * as z from 'zod/mini';
import { Id } from './id-schema.ts';
import { SchemaField } from './schema-field.ts';

export const EpicChild = z.looseObject({
  id: Id.check(z.describe('A story or another epic.')),
  blockedBy: z.array(Id).check(z.describe('Siblings that must be completed first.')),
});
export type EpicChild = z.infer<typeof EpicChild>;

/** `.saga/epics/<id>.json`. It has no status field: the status is derived from the children. */
export const Epic = z.looseObject({
  $schema: SchemaField,
  id: Id,
  title: z.string().check(z.minLength(1)),
  description: z.string().check(z.describe('The goal and its context.')),
  children: z.array(EpicChild),
  labels: z.optional(z.array(z.string())),
  issue: z.optional(z.string().check(z.describe('Address of the issue that it comes from.'))),
  branch: z.optional(z.string().check(z.describe('The branch. A worker writes it.'))),
  pr: z.optional(z.string().check(z.describe('Address of the pull request. A worker writes it.'))),
});
export type Epic = z.infer<typeof Epic>;
