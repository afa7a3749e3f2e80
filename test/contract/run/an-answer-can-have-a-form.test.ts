import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';

const SCHEMA = {
  type: 'object',
  properties: { tasks: { type: 'array', items: { type: 'string' } } },
  required: ['tasks'],
  additionalProperties: false,
};
const args = ['--json-schema', JSON.stringify(SCHEMA)];
const answer = (tasks: unknown) => ({ calls: [{ tool: 'StructuredOutput', input: { tasks } }] });

contract(
  'with --json-schema the model answers by a tool, and the result has the value',
  {},
  async (stage) => {
    const run = await stage.run({ turns: [answer(['a', 'b']), { text: 'Done.' }], args });
    expect(run.init?.tools).toContain('StructuredOutput');
    expect(run.result?.structured_output).toEqual({ tasks: ['a', 'b'] });
  },
);

contract(
  'a value of another form is refused, and a model that gives none leaves the result without',
  { since: '2.1.200' },
  async (stage) => {
    const turns = [answer('a'), { text: 'No.' }, { text: 'No.' }, { text: 'No.' }];
    const run = await stage.run({ turns, args });
    expect(JSON.stringify(run.events)).toContain('does not match required schema');
    expect(run.result?.structured_output).toBeUndefined();
  },
);
