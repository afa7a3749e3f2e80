/** As much of JSON Schema as our schemas use. */
export interface JsonSchema {
  type?: string | string[];
  /** The name of a shape that has its own section. */
  title?: string;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}

/** How a type is said: to people who write a setting, or to those who read a program's output. */
export interface Vocabulary {
  string: string;
  boolean: string;
  or: string;
  list(items: string): string;
  /** What a shape with a section of its own is called. */
  named?(name: string): string;
}

export const FOR_PEOPLE: Vocabulary = {
  string: 'text',
  boolean: 'true or false',
  or: ' or ',
  list: (items) => `list of ${items === 'text' ? 'texts' : items}`,
};

export const FOR_SCRIPTS: Vocabulary = {
  string: 'string',
  boolean: 'boolean',
  or: ' | ',
  list: (items) => `[${items}]`,
  named: (name) => `[${name}](#${name.toLowerCase()})`,
};

/** What a value may be, in words short enough for a table. */
export function formatType(schema: JsonSchema, words: Vocabulary): string {
  const { anyOf, enum: values, items, type, properties } = schema;
  const say = (inner: JsonSchema) => formatType(inner, words);
  if (schema.title !== undefined && words.named) return words.named(schema.title);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(type)) return type.map((it) => say({ ...schema, type: it })).join(words.or);
  if (anyOf) return anyOf.map(say).join(words.or);
  if (values) return values.map((it) => JSON.stringify(it)).join(words.or);
  if (type === 'array') return words.list(items ? say(items) : 'any');
  if (type === 'integer' || type === 'number') return formatNumber(schema, words);
  if (type === 'string' || type === 'boolean') return words[type];
  if (properties) return formatFields(schema, words);
  return type ?? 'any';
}

/** A small object is told where it stands. */
function formatFields({ properties = {}, required = [] }: JsonSchema, words: Vocabulary): string {
  const fields = Object.entries(properties).map(
    ([key, it]) => `${key}${required.includes(key) ? '' : '?'}: ${formatType(it, words)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

/** The bounds that zod gives every whole number say nothing. */
function formatNumber(schema: JsonSchema, words: Vocabulary): string {
  if (words === FOR_SCRIPTS) return 'number';
  const { minimum, maximum, exclusiveMinimum } = schema;
  const isReal = (bound: number | undefined) =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  return [
    schema.type === 'integer' ? 'whole number' : 'number',
    isReal(exclusiveMinimum) ? ` above ${exclusiveMinimum}` : '',
    isReal(minimum) ? ` from ${minimum}` : '',
    isReal(maximum) ? ` to ${maximum}` : '',
  ].join('');
}
