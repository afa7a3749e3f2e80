import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { failureOf, RETRY_NEVER } from '../support/outcome-of-run.ts';

const NAMES = {
  400: 'unknown',
  401: 'authentication_failed',
  403: 'authentication_failed',
  404: 'model_not_found',
  429: 'rate_limit',
  500: 'server_error',
  529: 'server_error',
};

for (const [status, name] of Object.entries(NAMES)) {
  contract(
    `API status ${status} is told in the result, and as "${name}" in the last message`,
    { since: '2.1.233' },
    async (stage) => {
      const run = await stage.run({
        turns: [{ fault: { status: Number(status), times: 'always' } }],
        env: RETRY_NEVER,
      });
      expect(run.result).toMatchObject({
        terminal_reason: 'api_error',
        api_error_status: Number(status),
      });
      const failure = failureOf(run);
      expect(failure?.error).toBe(name);
      expect(failure?.message.model).toBe('<synthetic>');
    },
  );
}
