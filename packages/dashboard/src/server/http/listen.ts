import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import { errorCodeOf, SagaError } from '@saga-ai/core/errors';
import type { Hono } from 'hono';

const TRIES = 50;

/** Listens on a port, or on the next free one. */
export async function listen(
  app: Hono,
  host: string,
  port: number,
): Promise<{ server: ServerType; port: number }> {
  for (let next = port; ; next++) {
    const server = createAdaptorServer({ fetch: app.fetch });
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(next, host, resolve);
      });
      return { server, port: (server.address() as AddressInfo).port };
    } catch (error) {
      const isTaken = errorCodeOf(error) === 'EADDRINUSE' && next < port + TRIES && next < 65535;
      if (!isTaken) throw cannotListen(error, host, next);
    }
  }
}

function cannotListen(cause: unknown, host: string, port: number): SagaError {
  return new SagaError(
    'usage',
    `The dashboard cannot listen on ${host}, port ${port} (${errorCodeOf(cause)}).`,
    'Choose another port or address with --port or --host.',
    { cause },
  );
}
