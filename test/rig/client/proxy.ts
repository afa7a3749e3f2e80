import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

export interface Proxy extends AsyncDisposable {
  url: string;
  /** The address of each request that came here instead of going straight to its server. */
  addresses: string[];
}

/** A company's proxy on loopback. It hands requests on to one server, or to the one that is named. */
export async function startProxy(target?: string): Promise<Proxy> {
  const find = (named: string) => new URL(target ?? named);
  const addresses: string[] = [];
  const server = createServer((request, response) => {
    addresses.push(request.url ?? '');
    handOn(request, response, find(request.url ?? ''));
  });
  server.on('connect', (request, socket, head) => {
    addresses.push(request.url ?? '');
    const { hostname, port } = find(`http://${request.url}`);
    const tunnel = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      tunnel.write(head);
      tunnel.pipe(socket).pipe(tunnel);
    });
    tunnel.on('error', () => socket.destroy());
    socket.on('error', () => tunnel.destroy());
    socket.on('close', () => tunnel.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    addresses,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function handOn(request: IncomingMessage, response: ServerResponse, server: URL): void {
  const { hostname, port } = server;
  const { pathname, search } = new URL(request.url ?? '/', 'http://nowhere.example');
  const { method, headers } = request;
  const onward = ask({ hostname, port, method, headers, path: pathname + search }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.writeHead(502).end());
  request.pipe(onward);
}
