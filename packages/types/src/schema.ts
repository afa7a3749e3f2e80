import type * as z from 'zod/mini';

/** What the rest of the house needs to know of a schema, without knowing zod. */
export type Schema<T> = z.ZodMiniType<T>;
