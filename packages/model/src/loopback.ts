import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

const HOST = '127.0.0.1';

export interface Loopback {
  url: string;
  /** Nothing listens for this long, or ever again; open connections are cut. */
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
    // A hung or slow answer would keep the server open for ever.
    server.closeAllConnections();
    return stopped;
  };

  await listen(port);
  const { port: own } = server.address() as AddressInfo;
  let reopening: NodeJS.Timeout | undefined;
  return {
    url: `http://${HOST}:${own}`,
    refuse(forMs) {
      stop();
      if (forMs !== undefined) reopening = setTimeout(() => listen(own), forMs);
    },
    async close() {
      clearTimeout(reopening);
      await stop();
    },
  };
}
