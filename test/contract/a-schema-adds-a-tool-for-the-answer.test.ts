import { expect } from 'vitest';
import { contract } from '../rig/client/contract.ts';

const SCHEMA = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
const asking = (schema: object) => ['--json-schema', JSON.stringify(schema), '--tools', 'Read'];
const answer = (input: Record<string, unknown>) => ({
  calls: [{ tool: 'StructuredOutput', input }],
});
/** Measured on this version only. */
const KNOWN = { since: '2.1.325' };

contract('with a schema, the result holds the value of a tool of its own', KNOWN, async (stage) => {
  const turns = [answer({ id: 'a' }), { text: 'Done.' }];
  const { code, init, events } = await stage.run({ args: asking(SCHEMA), turns });
  expect(code).toBe(0);
  expect(init?.tools).toContain('StructuredOutput');
  expect(events.at(-1)).toMatchObject({ type: 'result', structured_output: { id: 'a' } });
});

contract('a value that does not fit goes back to the model', KNOWN, async (stage) => {
  const turns = [answer({ name: 'a' }), answer({ id: 'b' }), { text: 'Done.' }];
  const { events } = await stage.run({ args: asking(SCHEMA), turns });
  expect(events.at(-1)).toMatchObject({ type: 'result', structured_output: { id: 'b' } });
});

contract(
  'a schema that names its dialect is refused before anything is asked',
  KNOWN,
  async (stage) => {
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    const { code, model } = await stage.run({ args: asking({ $schema, ...SCHEMA }), turns: [] });
    expect([code, model.requests.length]).toEqual([1, 0]);
  },
);
