import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { startHookServer } from '../support/hooks-server.ts';
import { denial, hooksOn } from '../support/hooks-settings.ts';
import { runWrite } from '../support/hooks-write.ts';

/** Whether the guard was asked and the file is there, in a project that allows no http hooks. */
async function runForbidden(stage: Stage, { hook = {}, settings = {} }) {
  stage.write('.claude/settings.json', JSON.stringify({ allowedHttpHookUrls: [] }));
  await using server = await startHookServer(() => ({ body: denial('No.') }));
  const http = { type: 'http', url: server.url, ...hook };
  const run = await runWrite(stage, { settings: { ...settings, ...hooksOn('PreToolUse', http) } });
  return { asked: server.requests.length > 0, written: run.written };
}

contract(
  'allowedHttpHookUrls of the project takes an http guard away',
  { since: '2.1.100' },
  async (stage) => {
    expect(await runForbidden(stage, {})).toEqual({ asked: false, written: true });
  },
);

contract(
  'allowedHttpHookUrls in --settings is added to it',
  { since: '2.1.100' },
  async (stage) => {
    const settings = { allowedHttpHookUrls: ['http://127.0.0.1:*'] };
    expect(await runForbidden(stage, { settings })).toEqual({ asked: true, written: false });
  },
);

contract('with onFailure "block" a forbidden hook denies', { since: '2.1.295' }, async (stage) => {
  const hook = { onFailure: 'block' };
  expect(await runForbidden(stage, { hook })).toEqual({ asked: false, written: false });
});
