import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

export interface Proxy extends AsyncDisposable {
  url: string;
  /** The address of each request that came here instead of going straight to its server. */
  addresses: string[];
}

/** A company's proxy on loopback. Whatever host is named, it hands the request on to one server. */
export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const addresses: string[] = [];
  const server = createServer((request, response) => {
    addresses.push(request.url ?? '');
    handOn(request, response, hostname, port);
  });
  server.on('connect', (request, socket, head) => {
    addresses.push(request.url ?? '');
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

function handOn(
  request: IncomingMessage,
  response: ServerResponse,
  hostname: string,
  port: string,
): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://nowhere.example');
  const { method, headers } = request;
  const onward = ask({ hostname, port, method, headers, path: pathname + search }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.writeHead(502).end());
  request.pipe(onward);
}
