import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';

/** Measured on this version only. */
const KNOWN = { since: '2.1.325' };

contract(
  'a schema that names its dialect is refused, and nothing is asked',
  KNOWN,
  async (stage) => {
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    const schema = { $schema, type: 'object', properties: { id: { type: 'string' } } };
    const args = ['--json-schema', JSON.stringify(schema)];
    const { code, model } = await stage.run({ args, turns: [] });
    expect([code, model.requests.length]).toEqual([1, 0]);
  },
);
