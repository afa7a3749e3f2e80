import * as z from 'zod/mini';

/** In every file of the plan: where an editor finds the schema. SAGA keeps it and does not read it. */
export const SchemaField = z.optional(
  z.string().check(z.describe('Where an editor finds the JSON Schema of the file.')),
);
