import * as z from 'zod/mini';

/** The parts that tables of events are made of. */
export const text = z.string();
export const number = z.number();
export const files = z.array(z.string());
export const note = (meaning: string) => z.string().check(z.describe(meaning));
export const reason = note('Why, in words.');

/** An event: its meaning in one sentence, and its fields. */
export const says = <T extends z.core.$ZodLooseShape>(meaning: string, fields: T) =>
  z.object(fields).check(z.describe(meaning));

/** How far the dollars of an event can be relied on. */
export const estimated = {
  isCostEstimated: z.optional(
    z
      .boolean()
      .check(z.describe('A run was cut off, so its dollars are estimated from its tokens.')),
  ),
  isCostUnknown: z.optional(
    z
      .boolean()
      .check(z.describe('No price of the model is known, so costUsd is only a guess for budgets.')),
  ),
};
