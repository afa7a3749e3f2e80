import * as z from 'zod/mini';

const FINDING_STATES = ['ok', 'warning', 'problem'] as const;

/** The result of one check by `saga doctor` or `saga rehearse`. */
export const Finding = z.object({
  name: z.string(),
  state: z.enum(FINDING_STATES),
  message: z.string().check(z.describe('What was found.')),
  fix: z.optional(z.string().check(z.describe('What to do about it.'))),
});
export type Finding = z.infer<typeof Finding>;

export const ok = (name: string, message: string): Finding => ({ name, state: 'ok', message });

/** SAGA works without it, but a person may want to know. */
export const warning = (name: string, message: string, fix?: string): Finding => ({
  name,
  state: 'warning',
  message,
  fix,
});

/** A story could not be completed. */
export const problem = (name: string, message: string, fix?: string): Finding => ({
  ...warning(name, message, fix),
  state: 'problem',
});
