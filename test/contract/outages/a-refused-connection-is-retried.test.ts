import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { API_FAILURE, outcomeOf, RETRY_ONCE, retriesOf } from '../support/outcome-of-run.ts';

async function findClosedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function closedDoor() {
  const ANTHROPIC_BASE_URL = `http://127.0.0.1:${await findClosedPort()}`;
  return { turns: [], env: { ...RETRY_ONCE, ANTHROPIC_BASE_URL } };
}

contract('a refused connection is an API failure', {}, async (stage) => {
  const run = await stage.run(await closedDoor());
  expect(outcomeOf(run)).toEqual(API_FAILURE);
  expect(run.init?.session_id).toBe(run.result?.session_id);
});

contract('a refused connection is retried as "unknown"', { since: '2.1.100' }, async (stage) => {
  expect(retriesOf(await stage.run(await closedDoor()))).toEqual([
    { attempt: 1, max_retries: 1, error_status: null, error: 'unknown' },
  ]);
});

contract('a refused connection is "connection_failed"', { since: '2.1.325' }, async (stage) => {
  const { result } = await stage.run(await closedDoor());
  expect(result).toMatchObject({
    terminal_reason: 'api_error',
    api_error_status: null,
    api_error: 'connection_failed',
  });
});
