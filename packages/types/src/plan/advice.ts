import * as z from 'zod/mini';

/** Every rule by which `saga check --plan` judges a plan. */
export const ADVICE_RULES = {
  'no-done-when': 'neither a story nor all of its tasks say when they are done',
  'no-tasks': 'a story has no task',
  'no-verify': 'neither the story nor the project has a verify command',
  'verify-fails': 'a verify command fails on the base already (only with --try)',
  overlap: 'stories that may run at the same time may write the same files',
  'many-tasks': 'a story has more tasks than a person reviews in one go',
  'many-files': 'a task names more files than a run does well',
  'vague-task': 'nobody could check whether a task is done',
  'needless-order': 'something waits for what it would wait for anyway',
  'loose-end': 'nothing waits for a story, though the rest of its epic leads to one end',
} as const;
export type AdviceRule = keyof typeof ADVICE_RULES;

/** One piece of advice on a plan: what may go wrong, and what to do. It is never an error. */
export const Advice = z.strictObject({
  rule: z.enum(Object.keys(ADVICE_RULES) as [AdviceRule, ...AdviceRule[]]),
  message: z.string(),
  remedy: z.string(),
  story: z.optional(z.string()),
  task: z.optional(z.string()),
  epic: z.optional(z.string()),
  others: z.optional(
    z.array(z.string()).check(z.describe('Other stories and epics that have a part in it.')),
  ),
});
export type Advice = z.infer<typeof Advice>;
