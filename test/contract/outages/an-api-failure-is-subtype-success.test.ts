import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { API_FAILURE, outcomeOf, RETRY_NEVER } from '../support/outcome-of-run.ts';

contract(
  'a run that the API ended has subtype "success": only is_error and exit code 1 tell',
  {},
  async (stage) => {
    const run = await stage.run({
      turns: [
        { calls: [{ tool: 'Bash', input: { command: 'echo half > half.txt' } }] },
        { fault: { status: 500, times: 'always' } },
      ],
      env: RETRY_NEVER,
    });
    expect(run.result?.subtype).toBe('success');
    expect(run.result?.is_error).toBe(true);
    expect(run.result?.result).toContain('API Error');
    expect(outcomeOf(run)).toEqual(API_FAILURE);
  },
);
