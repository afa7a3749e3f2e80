import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { startProxy } from '../../rig/client/proxy.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { startHookServer } from '../support/hooks-server.ts';
import { denial, hooksOn } from '../support/hooks-settings.ts';
import { runWrite } from '../support/hooks-write.ts';

/** Which way the hook went. The proxy hands on what it gets, so a guard hears of it either way. */
async function runBehindProxy(stage: Stage, noProxy: string) {
  await using server = await startHookServer(() => ({ body: denial('No.') }));
  await using proxy = await startProxy();
  const hook = { type: 'http', url: server.url };
  const exempt = { NO_PROXY: noProxy, no_proxy: noProxy };
  const run = await runWrite(stage, {
    settings: { ...hooksOn('PreToolUse', hook), env: exempt },
    env: { ...exempt, HTTP_PROXY: proxy.url, http_proxy: proxy.url },
  });
  const { host } = new URL(server.url);
  return {
    throughProxy: proxy.addresses.some((address) => address.includes(host)),
    asked: server.requests.length > 0,
    written: run.written,
  };
}

contract(
  'with HTTP_PROXY an http hook on loopback goes to the proxy',
  { since: '2.1.63' },
  async (stage) => {
    expect(await runBehindProxy(stage, '')).toMatchObject({ throughProxy: true });
  },
);

contract(
  'NO_PROXY with 127.0.0.1,localhost,::1 keeps http hooks away from a proxy',
  { since: '2.1.63' },
  async (stage) => {
    expect(await runBehindProxy(stage, 'a.example,127.0.0.1,localhost,::1')).toEqual({
      throughProxy: false,
      asked: true,
      written: false,
    });
  },
);

contract('NO_PROXY with a star does as well', { since: '2.1.63' }, async (stage) => {
  expect(await runBehindProxy(stage, '*')).toEqual({
    throughProxy: false,
    asked: true,
    written: false,
  });
});
