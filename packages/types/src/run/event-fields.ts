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
