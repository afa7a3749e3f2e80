import { ClaudeTask } from '@saga-ai/core/agents/claude/tasklist/claude-task';
import { SagaError } from '@saga-ai/core/errors';
import { JSON_SCHEMA_KINDS, toInputSchema, toJsonSchema } from '@saga-ai/types/json-schema';
import { findNearest } from '@saga-ai/types/words/nearest';
import type { Command } from '../../command.ts';

/** The schemas of SAGA's files, and of the one file of Claude Code that people write by hand. */
const KINDS: readonly string[] = [...JSON_SCHEMA_KINDS, 'claude-task'];

export const command: Command = {
  stream: { instead: 'The JSON Schema itself, with or without `--json`.' },
  args: [
    {
      name: 'kind',
      help: KINDS.join(', '),
      required: true,
      complete: KINDS,
    },
  ],
  examples: ['saga schema story-draft'],
  run({ out, args }) {
    const schema = findSchema(args[0] ?? '');
    out.lines([JSON.stringify(schema, null, 2)]);
    return 0;
  },
};

function findSchema(given: string): Record<string, unknown> {
  if (given === 'claude-task') return toInputSchema(given, ClaudeTask);
  const kind = JSON_SCHEMA_KINDS.find((it) => it === given);
  if (!kind) throw unknownKind(given);
  return toJsonSchema(kind);
}

function unknownKind(kind: string): SagaError {
  const near = findNearest(kind, KINDS);
  return new SagaError(
    'usage',
    `There is no schema ${JSON.stringify(kind)}.`,
    `${near === undefined ? '' : `Did you mean ${near}?  `}The schemas are: ${KINDS.join(', ')}.`,
  );
}
