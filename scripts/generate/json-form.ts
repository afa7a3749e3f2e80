import { FOR_SCRIPTS, formatType, type JsonSchema } from './schema-type.ts';

/** The forms of what a command prints, one for each that it may be: keys, types and what they mean. */
export function formatForms(schema: JsonSchema): string[] {
  const { $defs = {}, anyOf } = schema;
  const named = { ...FOR_SCRIPTS, named: (name: string) => name };

  const formatFields = (object: JsonSchema, indent: string): string => {
    const inner = `${indent}  `;
    const fields = fieldsOf(object).map(([key, field]) => {
      const mark = object.required?.includes(key) ? '' : '?';
      return [`${inner}"${key}"${mark}: ${format(field, inner)}`, field.description] as const;
    });
    const version = indent === '' && object.title === undefined ? [`${inner}"version": 1`] : [];
    const lines = [...version, ...fields.map(([line]) => line)];
    const notes = [...version.map(() => undefined), ...fields.map(([, note]) => note)];
    const text = lines.map((line, i) => {
      const comma = i < lines.length - 1 ? ',' : '';
      return `${line}${comma}${notes[i] === undefined ? '' : `   // ${notes[i]}`}`;
    });
    return `{\n${text.join('\n')}\n${indent}}`;
  };

  const format = (part: JsonSchema, indent: string): string => {
    const target = part.$ref === undefined ? part : follow(part.$ref, $defs);
    if (target.title !== undefined) return target.title;
    if (target.anyOf) return target.anyOf.map((it) => format(it, indent)).join(' | ');
    if (target.type === 'array') return `[${format(target.items ?? {}, indent)}]`;
    return fieldsOf(target).length > 0 ? formatFields(target, indent) : formatType(target, named);
  };

  return (anyOf ?? [schema]).map((it) => formatFields(it, ''));
}

/** Of a record whose keys are known, each is a field. */
function fieldsOf({ properties, required = [], additionalProperties }: JsonSchema) {
  if (properties) return Object.entries(properties);
  if (typeof additionalProperties !== 'object') return [];
  return required.map((key): [string, JsonSchema] => [key, additionalProperties]);
}

function follow(ref: string, definitions: Record<string, JsonSchema>): JsonSchema {
  const found = definitions[ref.replace('#/$defs/', '')];
  if (!found) throw new Error(`${ref} leads nowhere`);
  return found;
}
