import * as z from 'zod/mini';

/** Any JSON object: for files whose fields are checked in a second step. */
export const AnyObject = z.record(z.string(), z.unknown());
