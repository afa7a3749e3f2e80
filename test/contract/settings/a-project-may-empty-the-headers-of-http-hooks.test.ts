import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { startHookServer } from '../support/hooks-server.ts';
import { hooksOn } from '../support/hooks-settings.ts';
import { bash, DONE } from '../support/hooks-write.ts';

/** What the guard gets as token, in a project that allows another variable only. */
async function seeToken(stage: Stage, settings: object): Promise<string | undefined> {
  stage.write('.claude/settings.json', JSON.stringify({ httpHookAllowedEnvVars: ['OTHER'] }));
  await using server = await startHookServer();
  const hook = hooksOn('PreToolUse', {
    type: 'http',
    url: server.url,
    headers: { Authorization: 'Bearer $SAGA_HOOK_TOKEN.' },
    allowedEnvVars: ['SAGA_HOOK_TOKEN'],
  });
  await stage.run({
    turns: [bash('true'), DONE],
    settings: { ...settings, ...hook },
    env: { SAGA_HOOK_TOKEN: 'token' },
  });
  return server.requests[0]?.headers.authorization;
}

contract(
  'httpHookAllowedEnvVars of the project empties a header, unless --settings names the variable',
  { since: '2.1.100' },
  async (stage) => {
    expect(await seeToken(stage, {})).toBe('Bearer .');
    const settings = { httpHookAllowedEnvVars: ['SAGA_HOOK_TOKEN'] };
    expect(await seeToken(stage, settings)).toBe('Bearer token.');
  },
);
