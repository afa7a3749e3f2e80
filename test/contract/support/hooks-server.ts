import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Payload } from './hooks-log.ts';

export interface HookRequest {
  method: string | undefined;
  headers: IncomingHttpHeaders;
  payload: Payload;
}

export interface HookServer extends AsyncDisposable {
  url: string;
  requests: HookRequest[];
  close(): Promise<void>;
}

/** Status and body; a server that hangs never answers. */
export type Answer = { status?: number; body?: unknown } | 'hangs';

/** The worker's guard as the client sees it: http hooks on loopback. */
export async function startHookServer(
  answer: (payload: Payload) => Answer = () => ({ status: 204 }),
): Promise<HookServer> {
  const requests: HookRequest[] = [];
  const server = createServer(async (request, response) => {
    const payload = (await json(request)) as Payload;
    requests.push({ method: request.method, headers: request.headers, payload });
    const reply = answer(payload);
    if (reply === 'hangs') return;
    const { status = 200, body } = reply;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, requests, close, [Symbol.asyncDispose]: close };
}
