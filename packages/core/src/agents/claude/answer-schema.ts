/** Formats a JSON Schema for `--json-schema`. The client refuses a schema that names its dialect. */
export function formatAnswerSchema(schema: object): string {
  const { $schema: _, ...plain } = schema as Record<string, unknown>;
  return JSON.stringify(plain);
}
