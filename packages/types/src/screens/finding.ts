import * as z from 'zod/mini';

export const FINDING_STATES = ['ok', 'warning', 'problem'] as const;

/** One thing that `saga doctor` or `saga rehearse` looked at. */
export const Finding = z.object({
  name: z.string(),
  state: z.enum(FINDING_STATES),
  message: z.string().check(z.describe('What was found.')),
  fix: z.optional(z.string().check(z.describe('What to do about it.'))),
});
export type Finding = z.infer<typeof Finding>;

export const ok = (name: string, message: string): Finding => ({ name, state: 'ok', message });

/** It goes on without, and somebody may want to know. */
export const warning = (name: string, message: string, fix?: string): Finding => ({
  name,
  state: 'warning',
  message,
  ...(fix === undefined ? {} : { fix }),
});

/** A story would not come to its end. */
export const problem = (name: string, message: string, fix?: string): Finding => ({
  ...warning(name, message, fix),
  state: 'problem',
});
