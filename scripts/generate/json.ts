import type { Command, CommandEntry } from '../../packages/cli/src/command.ts';
import { COMMANDS } from '../../packages/cli/src/command-table.ts';
import { toOutputSchema } from '../../packages/types/src/json-schema.ts';
import { SHAPES } from '../../packages/types/src/screens/json/shapes.ts';
import { formatForms } from './json-form.ts';
import { code, fence, page, table } from './page.ts';
import { FOR_SCRIPTS, formatType, type JsonSchema } from './schema-type.ts';

const INTRODUCTION = `With \`--json\`, standard output is one JSON value, and \`"version": 1\` is its first key. It is raised when a
key changes its meaning; new keys may come at any time, so ignore those you do not know.

An error is \`{ "error": { "code", "message", "hint", "problems"? } }\` with exit code 1;
[codes.md](codes.md) lists the codes. \`problems\` holds every fault, when there was more than one.

How to read this page: \`"key"?\` may be missing, \`|\` separates what it may be, \`[…]\` is a list, and a name such as
\`StoryView\` is one of the [shapes](#shapes) at the end. Times are ISO 8601, in UTC.`;

/** The schemas that have a name. */
const NAMES = new Map<unknown, string>(
  Object.entries(SHAPES).map(([name, { schema }]) => [schema, name]),
);

/** What every command prints with `--json`, from the schemas that the commands declare. */
export async function describeJson(): Promise<string> {
  const commands = await Promise.all(
    (await listCommands(COMMANDS)).map(async (it) => ({ ...it, forms: await listForms(it) })),
  );
  // A form that several commands print is told where it stands alone.
  const homes = new Map<string, string>();
  for (const { name, forms } of commands.toSorted((a, b) => a.forms.length - b.forms.length)) {
    for (const form of forms) if (!homes.has(form)) homes.set(form, name);
  }
  const sections = commands.map(({ name, command: { stream }, forms }) => {
    const lead = stream === 'lines' ? 'One object a line, without a version:' : stream?.instead;
    const parts = forms.map((form) => {
      const home = homes.get(form);
      if (home === name || home === undefined) return fence(form.split('\n'));
      return `As [\`saga ${home}\`](#saga-${home.replaceAll(' ', '-')}).`;
    });
    return [`### saga ${name}`, ...(lead === undefined ? [] : [lead]), ...parts].join('\n\n');
  });
  return page('JSON output', [
    INTRODUCTION,
    '## Commands',
    ...sections,
    '## Shapes',
    ...describeShapes(),
  ]);
}

interface Listed {
  name: string;
  command: Command<object>;
}

async function listForms({ name, command: { output, stream } }: Listed): Promise<string[]> {
  if (!output && typeof stream === 'object') return [];
  if (!output) throw new Error(`saga ${name} has no output schema`);
  const forms = formatForms(toOutputSchema(await output(), NAMES) as JsonSchema);
  return stream === 'lines' ? forms.map((form) => form.replace('\n  "version": 1,', '')) : forms;
}

/** Every command that people see, verbs as `task ready`. */
async function listCommands(table: readonly CommandEntry[], prefix = ''): Promise<Listed[]> {
  const found: Listed[] = [];
  for (const entry of table.filter((it) => !it.hidden)) {
    const { command } = await entry.load();
    const name = `${prefix}${entry.name}`;
    if (command.verbs) found.push(...(await listCommands(command.verbs, `${name} `)));
    else found.push({ name, command });
  }
  return found;
}

function describeShapes(): string[] {
  return Object.entries(SHAPES).map(([name, { schema, about }]) => {
    const root = toOutputSchema(schema, NAMES) as JsonSchema;
    const { properties = {}, required = [] } = follow(root);
    const rows = Object.entries(properties).map(([key, field]) => [
      code(required.includes(key) ? key : `${key}?`),
      name === 'Problem' && key === 'code'
        ? 'a [code](codes.md)'
        : formatType(nameItself(field, name), FOR_SCRIPTS),
      field.description ?? '',
    ]);
    return `### ${name}\n\n${about}\n\n${table(['key', 'type', 'meaning'], rows)}`;
  });
}

/** A shape that contains itself is a reference to a definition of its own. */
function follow(root: JsonSchema): JsonSchema {
  return root.$ref === undefined ? root : (root.$defs?.[root.$ref.replace('#/$defs/', '')] ?? {});
}

function nameItself(field: JsonSchema, title: string): JsonSchema {
  return field.items?.$ref === undefined ? field : { ...field, items: { title } };
}
