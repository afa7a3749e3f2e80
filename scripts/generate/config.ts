import { CONFIG_KEYS, Config } from '../../packages/types/src/config.ts';
import { formatConfigVariable } from '../../packages/types/src/config-variable.ts';
import { toJsonSchema } from '../../packages/types/src/json-schema.ts';
import { code, fence, page, table } from './page.ts';
import { FOR_PEOPLE, formatType, type JsonSchema } from './schema-type.ts';

const INTRODUCTION = `Settings are in \`.saga/config.json\`, by group, and all of them may be left out. A flag wins over a
variable, a variable over this file, this file over your own settings in \`~/.config/saga/config.json\`, and
those over the default. \`saga config\` shows each value and where it comes from,
\`saga config <key> <value>\` writes one, \`saga schema config\` prints the schema.`;

const AFTERWARDS = `A variable holds the value as JSON or as plain text; a list may also be separated by commas:
\`SAGA_PULL_REQUEST_LABELS=saga,night\`. An unknown key is an error that names the nearest known one, so a
misspelt setting never passes unnoticed.`;

/** From the schema alone: a key without a word about it is an error here. */
export function describeConfig(): string {
  const values: Config = Config.parse({});
  const defaults: Record<string, Record<string, unknown>> = values;
  const { $schema: _, ...groups } = (toJsonSchema('config') as JsonSchema).properties ?? {};
  const sections = Object.entries(groups).map(([group, { properties = {} }]) => {
    const rows = Object.entries(properties).map(([name, schema]) => {
      const key = `${group}.${name}`;
      if (!CONFIG_KEYS.includes(key)) throw new Error(`${key} is not among CONFIG_KEYS`);
      if (!schema.description) throw new Error(`${key} has no description in types/src/config.ts`);
      return [
        code(key),
        formatType(schema, FOR_PEOPLE),
        code(JSON.stringify(defaults[group]?.[name])),
        code(formatConfigVariable(key)),
        schema.description,
      ];
    });
    const head = ['key', 'value', 'default', 'variable', 'meaning'];
    return `## ${group}\n\n${table(head, rows)}`;
  });
  const example = { worker: { maxTime: 90 }, gate: { verify: 'npm test' } };
  return page('Settings', [
    INTRODUCTION,
    fence(JSON.stringify(example, null, 2).split('\n'), 'json'),
    AFTERWARDS,
    ...sections,
  ]);
}
