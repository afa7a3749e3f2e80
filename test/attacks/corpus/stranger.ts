import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';

export interface Stranger extends Disposable {
  /** The names of the sockets that somebody connected to. */
  visitors: Set<string>;
  port: number;
}

/** Opens what programs of a person listen on: a socket in a folder, an abstract one, and a port. */
export async function startStranger(folder: string): Promise<Stranger> {
  const visitors = new Set<string>();
  const servers: Server[] = [];
  const listen = async (name: string, at: string | number) => {
    const server = createServer((socket) => {
      visitors.add(name);
      socket.on('error', () => {}).end();
    });
    servers.push(server);
    if (typeof at === 'number') server.listen(at, '127.0.0.1');
    else server.listen(at);
    await once(server, 'listening');
    return server;
  };
  await listen('agent', join(folder, 'agent.sock'));
  await listen('abstract', `\0${folder}`);
  const address = (await listen('network', 0)).address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    visitors,
    port,
    [Symbol.dispose]() {
      for (const server of servers) server.close();
    },
  };
}
