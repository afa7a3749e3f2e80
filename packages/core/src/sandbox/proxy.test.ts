import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { startProxy } from '../../../../test/rig/client/proxy.ts';
import type { Environment } from '../processes/run.ts';
import { createProxy } from './proxy.ts';

const open: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const server of open.splice(0)) server.close();
  for (const socket of sockets) socket.destroy();
});

async function listen(server: Server): Promise<number> {
  open.push(server);
  server.on('connection', (it) => {
    sockets.add(it);
    it.on('close', () => sockets.delete(it));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A server that says these words to whoever connects, and then does something with the connection. */
const say = (words: string, then: (it: Socket) => void = () => {}) =>
  listen(
    createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', () => socket.write(words, () => then(socket)));
    }),
  );

const startWall = (env: Environment = {}) =>
  listen(createProxy({ isAllowed: () => true, onRefused: () => {}, env }));

/** What a command behind the walls gets for a request. */
async function get(proxy: number, url: string): Promise<string> {
  const asked = request({ host: '127.0.0.1', port: proxy, path: url });
  asked.end();
  try {
    const [answer] = await once(asked, 'response');
    return `${answer.statusCode} ${await text(answer)}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

describe('an answer never ends the worker, nor does it hang a command', () => {
  test.each([
    ['is cut', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'],
    [
      'is cut between its chunks',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n',
    ],
  ])('that %s', async (_, words) => {
    const server = await say(words, (it) => it.destroy());
    expect(await get(await startWall(), `http://127.0.0.1:${server}/`)).toBe('ECONNRESET');
  });

  test.each([
    ['has a status that is none', 'HTTP/1.1 042 What\r\ncontent-length: 2\r\n\r\nok'],
    [
      'has trailers that cannot come',
      'HTTP/1.1 200 OK\r\ntrailer: x\r\ncontent-length: 2\r\n\r\nok',
    ],
    [
      'asks to speak something else',
      'HTTP/1.1 101 Up\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    ],
    ['is nonsense', 'what?\r\n\r\n'],
  ])('that %s', async (_, words) => {
    const server = await say(words);
    expect(await get(await startWall(), `http://127.0.0.1:${server}/`)).toMatch(/^502|ECONNRESET/);
  });

  test.each([
    ['a server', (server: number) => ({ url: `http://127.0.0.1:${server}/`, env: {} })],
    [
      'the proxy of the network',
      (server: number) => ({
        url: 'http://far.example/',
        env: { HTTP_PROXY: `http://127.0.0.1:${server}` },
      }),
    ],
  ])('that %s never gives: the connection ends with the command', async (_, describe) => {
    const silent = createServer((socket) => socket.on('error', () => socket.destroy()));
    const { url, env } = describe(await listen(silent));
    const proxy = await startWall(env);
    for (const words of [`GET ${url} HTTP/1.1`, 'CONNECT far.example:80 HTTP/1.1']) {
      if (words.startsWith('CONNECT') && !('HTTP_PROXY' in env)) continue;
      const command = connect(proxy, '127.0.0.1');
      command.write(`${words}\r\nhost: x\r\n\r\n`);
      const [far] = (await once(silent, 'connection')) as [Socket];
      far.resume();
      command.destroy();
      if (!far.destroyed) await once(far, 'close');
    }
  });
});

describe('the proxy of the person’s network', () => {
  test.each([
    ['HTTP_PROXY', 'http://ada:100%sure@proxy.example:3128'],
    ['https_proxy', 'http://proxy.example:99999'],
    ['HTTPS_PROXY', 'http://'],
  ])('an address that cannot be read is refused with words: %s=%s', (name, address) => {
    const build = () =>
      createProxy({ isAllowed: () => true, onRefused: () => {}, env: { [name]: address } });
    expect(build).toThrow(expect.objectContaining({ code: 'invalid-config' }));
    expect(build).toThrow(new RegExp(`^${name} .* cannot be read`));
    expect(build).not.toThrow(/100%sure/);
  });

  test('is used also if its address has no scheme, and with every letter of a password', async () => {
    const server = await say('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    await using outer = await startProxy(`http://127.0.0.1:${server}`);
    const address = outer.url.replace('http://', 'ada:100%25sure@');
    const proxy = await startWall({ HTTP_PROXY: address });
    expect(await get(proxy, 'http://far.example/')).toBe('200 ok');
    expect(outer.addresses).toEqual(['http://far.example/']);
  });
});
