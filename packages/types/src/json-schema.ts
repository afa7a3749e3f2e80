import * as z from 'zod/mini';
import { Config } from './config.ts';
import { EpicDraft, StoryDraft } from './plan/draft.ts';
import { Epic } from './plan/epic.ts';
import { Story } from './plan/story.ts';
import { Task } from './plan/task.ts';
import { buildEventSchema } from './run/session-event.ts';
import { Overview } from './screens/overview.ts';

/**
 * The schemas of files. This module is not in the package's index, because only `saga schema` needs zod's JSON Schema
 * writer.
 */
const SCHEMAS = {
  story: Story,
  task: Task,
  epic: Epic,
  'story-draft': StoryDraft,
  'epic-draft': EpicDraft,
  config: Config,
  overview: Overview,
  'session-event': buildEventSchema(),
};

export type JsonSchemaKind = keyof typeof SCHEMAS;
export const JSON_SCHEMA_KINDS = Object.keys(SCHEMAS) as JsonSchemaKind[];

/** Returns the schema of the input: a field with a default may be left out. */
export function toJsonSchema(kind: JsonSchemaKind): Record<string, unknown> {
  return toInputSchema(kind, SCHEMAS[kind]);
}

/** Like `toJsonSchema`, for any schema. */
export function toInputSchema(title: string, input: z.core.$ZodType): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return { $schema, title, ...schema };
}

/** Returns the schema of the output. A part that has a name gets the name as its title. */
export function toOutputSchema(
  schema: z.core.$ZodType,
  names: ReadonlyMap<unknown, string> = new Map(),
): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const name = names.get(zodSchema);
      if (name !== undefined) jsonSchema.title = name;
    },
  });
}
