import { toOutputSchema } from '../../packages/types/src/json-schema.ts';
import { Cause } from '../../packages/types/src/run/cause.ts';
import { EVENTS } from '../../packages/types/src/run/event.ts';
import { code, page, table } from './page.ts';
import { FOR_SCRIPTS, formatType, type JsonSchema } from './schema-type.ts';

const INTRODUCTION = `A worker writes what happens into its output file, one event a line, as JSON. \`saga logs\` prints it for
people; \`saga sessions --json\` says where the file of each session is. Every event has \`time\` (ISO, UTC) and
\`type\` (\`noun:verb\`). A reader must pass over types and fields that it does not know: later versions add some.
\`saga schema session-event\` prints the schema.`;

const CAUSES = `## Why a worker ended

\`cause\` of \`worker:end\`, and of the session's record, says it as data; \`reason\` says the same in words, which may
change between versions.`;

/** From the table of events alone: an event without a sentence is an error here. */
export function describeEvents(): string {
  const groups = Map.groupBy(Object.entries(EVENTS), ([type]) => type.split(':')[0] ?? '');
  const sections = [...groups].map(([noun, events]) => {
    const rows = events.map(([type, event]) => {
      const schema = toOutputSchema(event) as JsonSchema;
      if (!schema.description) throw new Error(`${type} has no sentence in types/src/run/event.ts`);
      return [code(type), schema.description, formatFields(schema)];
    });
    return `## ${noun}\n\n${table(['type', 'meaning', 'fields'], rows)}`;
  });
  const causes = toOutputSchema(Cause) as JsonSchema;
  const rows = listAlternatives(causes).map((it) => [
    formatType(it.properties?.kind ?? {}, FOR_SCRIPTS),
    formatFields(withoutKind(it)),
  ]);
  return page('Events of the output file', [
    INTRODUCTION,
    ...sections,
    CAUSES,
    table(['kind', 'fields'], rows),
  ]);
}

function withoutKind({
  properties: { kind: _, ...properties } = {},
  ...rest
}: JsonSchema): JsonSchema {
  return { ...rest, properties };
}

function listAlternatives(schema: JsonSchema): JsonSchema[] {
  const inner = schema.oneOf ?? schema.anyOf;
  return inner ? inner.flatMap(listAlternatives) : [schema];
}

/** What has a form of its own elsewhere is named, not told again. */
const NAMED: Readonly<Record<string, string>> = {
  cause: '[cause](#why-a-worker-ended)',
  check: '[check](json.md)',
  checks: '[[check](json.md)]',
  problems: '[[problem](json.md)]',
};

function formatFields({ properties = {}, required = [] }: JsonSchema): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const mark = required.includes(name) ? '' : '?';
      const isPlain = schema.type === 'array' && name === 'checks' && schema.items?.enum;
      const type = isPlain ? undefined : NAMED[name];
      const form = type ?? formatType(schema, FOR_SCRIPTS);
      const said = schema.description ? ` (${schema.description.replace(/\.$/, '')})` : '';
      return `${code(`${name}${mark}`)} ${form}${said}`;
    })
    .join('<br>');
}
