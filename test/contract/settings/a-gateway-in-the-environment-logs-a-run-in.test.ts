import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { outcomeOf, SUCCESS } from '../support/outcome-of-run.ts';

contract(
  'ANTHROPIC_BASE_URL and ANTHROPIC_AUTH_TOKEN of the process environment log a run in',
  {},
  async (stage) => {
    const env = { ANTHROPIC_API_KEY: '', ANTHROPIC_AUTH_TOKEN: 'token-of-the-gateway' };
    const run = await stage.run({ turns: [{ text: 'Done.' }], env });
    expect(outcomeOf(run)).toEqual(SUCCESS);
    const [turn] = run.model.requests.filter(({ kind }) => kind === 'turn');
    expect(turn?.headers.authorization).toBe('Bearer token-of-the-gateway');
  },
);
