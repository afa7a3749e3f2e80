import { SagaError } from '@saga-ai/core/errors';
import { JSON_SCHEMA_KINDS, toJsonSchema } from '@saga-ai/types/json-schema';
import { findNearest } from '@saga-ai/types/words/nearest';
import type { Command } from '../../command.ts';

export const command: Command = {
  stream: { instead: 'The JSON Schema itself, with or without `--json`.' },
  args: [
    {
      name: 'kind',
      help: JSON_SCHEMA_KINDS.join(', '),
      required: true,
      complete: JSON_SCHEMA_KINDS,
    },
  ],
  examples: ['saga schema story-draft'],
  run({ out, args }) {
    const kind = JSON_SCHEMA_KINDS.find((it) => it === args[0]);
    if (!kind) throw unknownKind(args[0] ?? '');
    const schema = toJsonSchema(kind);
    out.lines([JSON.stringify(schema, null, 2)]);
    return 0;
  },
};

function unknownKind(kind: string): SagaError {
  const near = findNearest(kind, JSON_SCHEMA_KINDS);
  return new SagaError(
    'usage',
    `There is no schema ${JSON.stringify(kind)}.`,
    `${near === undefined ? '' : `Did you mean ${near}?  `}There are: ${JSON_SCHEMA_KINDS.join(', ')}.`,
  );
}
