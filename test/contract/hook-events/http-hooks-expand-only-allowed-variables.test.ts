import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { startHookServer } from '../support/hooks-server.ts';
import { hooksOn } from '../support/hooks-settings.ts';
import { runWrite } from '../support/hooks-write.ts';

contract(
  'headers of an http hook expand $VAR if it is in allowedEnvVars, and any other to nothing',
  { since: '2.1.63' },
  async (stage) => {
    await using server = await startHookServer();
    const settings = hooksOn('PreToolUse', {
      type: 'http',
      url: server.url,
      headers: {
        Authorization: 'Bearer $SAGA_HOOK_TOKEN',
        'X-Not-Allowed': '<$SAGA_OTHER>',
      },
      allowedEnvVars: ['SAGA_HOOK_TOKEN'],
    });
    await runWrite(stage, { settings, env: { SAGA_HOOK_TOKEN: 'token', SAGA_OTHER: 'other' } });
    expect(server.requests.map(({ method, headers }) => ({ method, headers }))).toMatchObject([
      {
        method: 'POST',
        headers: {
          authorization: 'Bearer token',
          'x-not-allowed': '<>',
          'content-type': 'application/json',
        },
      },
    ]);
  },
);
