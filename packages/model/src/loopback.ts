import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

const HOST = '127.0.0.1';

export interface Loopback {
  url: string;
  /** Closes the port for this time, or for good, and cuts open connections. */
  refuse(forMs: number | undefined): void;
  close(): Promise<void>;
}

/** An HTTP server that only this machine can reach. */
export async function openLoopback(port: number, listener: RequestListener): Promise<Loopback> {
  const server = createServer(listener);
  const listen = (at: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(at, HOST, () => {
        server.off('error', reject);
        resolve();
      });
    });
  const stop = () => {
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
    // Cut the connections, because a hung or slow answer would keep the server open.
    server.closeAllConnections();
    return stopped;
  };

  await listen(port);
  const { port: own } = server.address() as AddressInfo;
  let reopening: NodeJS.Timeout | undefined;
  return {
    url: `http://${HOST}:${own}`,
    refuse(forMs) {
      void stop();
      if (forMs !== undefined) reopening = setTimeout(() => listen(own), forMs);
    },
    async close() {
      clearTimeout(reopening);
      await stop();
    },
  };
}
