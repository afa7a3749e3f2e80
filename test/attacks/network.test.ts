import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test as anyTest, expect } from 'vitest';
import { findSandboxRefusal } from '../rig/worker/find-sandbox-refusal.ts';
import { INTACT, runMisdeed } from '../rig/worker/plan-and-run.ts';

const test = anyTest.skipIf((await findSandboxRefusal()) !== undefined);

test('with the network of the model alone a story comes through, and nothing else is reached', async () => {
  const asked: string[] = [];
  const neighbour = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.end('secret');
  });
  neighbour.listen(0, '127.0.0.1');
  await once(neighbour, 'listening');
  const { port } = neighbour.address() as AddressInfo;
  const script = `fetch("http://127.0.0.1:${port}/fetched").then(() => process.exit(9), () => {})`;
  await using it = await runMisdeed(
    [
      // A server of this machine: directly, by the proxy, and by a tunnel.
      `! curl -sS --max-time 20 http://127.0.0.1:${port}/direct`,
      `'${process.execPath}' -e '${script}'`,
      `! curl -sSf --max-time 20 --noproxy "" http://127.0.0.1:${port}/asked`,
      `! curl -sS --max-time 20 --noproxy "" -p http://127.0.0.1:${port}/tunnel`,
      // Another machine: by its name, twice, and past the proxy.
      '! curl -sS --max-time 20 https://elsewhere.example/ && ! curl -sS https://elsewhere.example/',
      '! curl -sS --max-time 20 --noproxy "*" http://192.0.2.1/',
      // Loopback is the run's own.
      `('${process.execPath}' -e 'const s = require("http").createServer((q, r) => r.end("mine", () => s.close())).listen(8080, "127.0.0.1")' & until curl -s http://127.0.0.1:8080/ | grep -q mine; do sleep 0.1; done)`,
    ],
    (workshop) =>
      workshop.write('.saga/config.json', {
        sandbox: { network: 'model' },
        worktree: { setup: '! curl -sS --max-time 20 https://registry.example/' },
        gate: { verify: `! curl -sS --max-time 20 http://127.0.0.1:${port}/verify` },
      }),
    'required',
  );
  neighbour.close();
  expect(it.code, it.stdout).toBe(0);
  expect(it.pushedPlan()).toEqual(INTACT);
  expect(existsSync(join(it.worktree, 'rehearsed/one.md'))).toBe(true);
  expect(asked).toEqual([]);
  const refused = it.eventsOf('network:refused').map(({ host }) => host);
  expect(refused).toEqual(['registry.example:443', `127.0.0.1:${port}`, 'elsewhere.example:443']);
  expect(it.stdout).toContain('the sandbox refused registry.example:443');
});
