import * as z from 'zod/mini';
import { Id } from './id-schema.ts';

export const EpicChild = z.looseObject({
  id: Id.check(z.describe('A story or another epic.')),
  blockedBy: z.array(Id).check(z.describe('Siblings that must be completed first.')),
});
export type EpicChild = z.infer<typeof EpicChild>;

/** `.saga/epics/<id>.json`. It stores no status: that is derived from the children. */
export const Epic = z.looseObject({
  id: Id,
  title: z.string().check(z.minLength(1)),
  description: z.string().check(z.describe('The goal and its context.')),
  children: z.array(EpicChild),
  labels: z.optional(z.array(z.string())),
  branch: z.optional(z.string().check(z.describe('Written at execution.'))),
  pr: z.optional(z.string().check(z.describe('Pull request address, written at execution.'))),
});
export type Epic = z.infer<typeof Epic>;
