import type * as z from 'zod/mini';

/** The part of a schema that other packages use, so that they do not depend on zod. */
export type Schema<T> = z.ZodMiniType<T>;
