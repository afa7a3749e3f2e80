import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as anyTest, expect } from 'vitest';
import { startProxy } from '../../../../test/rig/client/proxy.ts';
import { findSandboxRefusal } from '../../../../test/rig/worker/find-sandbox-refusal.ts';
import { type Environment, startProgram } from '../processes/run.ts';
import { listAllowedHosts } from './allowed-hosts.ts';
import { findBubblewrap } from './find-bubblewrap.ts';
import { createNetworkWall } from './network-wall.ts';

const test = anyTest.skipIf((await findSandboxRefusal()) !== undefined);
const WALLS = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-pid'];
const PATH = { PATH: process.env.PATH };

/** A server of this machine that answers with its name and the request's path. */
async function startServer(name: string) {
  const server = createServer(({ url }, response) => void response.end(`${name} ${url}`));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { port, [Symbol.asyncDispose]: close };
}

/** Runs a command in a network of its own, and returns what it printed and what was refused. */
async function inside(
  command: string,
  {
    domains = [],
    ports = [],
    env = {},
  }: { domains?: string[]; ports?: number[]; env?: Environment },
) {
  const found = await findBubblewrap(PATH, 'list');
  if (!('path' in found)) throw new Error(found.missing);
  const refused: string[] = [];
  using wall = createNetworkWall({
    allowed: listAllowedHosts({ network: 'list', domains }, []) ?? [],
    ports,
    env,
    onRefused: (host, port) => refused.push(`${host}:${port}`),
  });
  const lines: string[] = [];
  const words = ['--unshare-net', '--cap-drop', 'ALL', '--', ...wall.lead, 'sh', '-c', command];
  const options = { cwd: '/', env: { ...PATH, ...wall.variables }, converse: wall.converse };
  const program = startProgram(found.path, [...WALLS, ...words], options, (it) => lines.push(it));
  const { code, stderr } = await program.ended;
  return { code, stderr, lines, refused };
}

const fetch = (url: string) => `curl -sS --max-time 20 ${url}; echo " $?"`;

test('only ports that are passed on answer; names go through the proxy', async () => {
  await using open = await startServer('open');
  await using shut = await startServer('shut');
  const { lines, refused, stderr } = await inside(
    [
      fetch(`http://127.0.0.1:${open.port}/direct`),
      fetch(`http://127.0.0.1:${shut.port}/`),
      // Past the exemption of this machine: by the proxy.
      fetch(`--noproxy '' http://localhost:${open.port}/asked`),
      fetch(`--noproxy '' -o /dev/null -w '%{http_code}' http://localhost:${shut.port}/`),
      fetch(`--noproxy '' -p http://localhost:${open.port}/tunnel`),
      fetch('-o /dev/null https://elsewhere.example/'),
      fetch("--noproxy '*' http://192.0.2.1/"),
    ].join('\n'),
    { ports: [open.port], domains: [`localhost:${open.port}`] },
  );
  expect(lines, stderr).toEqual([
    'open /direct 0',
    ' 7',
    'open /asked 0',
    '403 0',
    'open /tunnel 0',
    ' 56',
    ' 7',
  ]);
  expect(refused).toEqual([`localhost:${shut.port}`, 'elsewhere.example:443']);
});

test('what is allowed goes through the proxy of the person’s network', async () => {
  await using server = await startServer('far');
  await using outer = await startProxy(`http://127.0.0.1:${server.port}`);
  const { lines } = await inside(
    [fetch('http://far.example/plain'), fetch('-p http://far.example/tunnel')].join('\n'),
    { domains: ['far.example'], env: { HTTP_PROXY: outer.url } },
  );
  expect(lines).toEqual(['far /plain 0', 'far /tunnel 0']);
  expect(outer.addresses).toEqual(['http://far.example/plain', 'far.example:80']);
});

test('the command has neither the channel nor its variables, and its exit code is its own', async () => {
  const { code, lines } = await inside(
    'env | grep NODE_CHANNEL; test -e /proc/$$/fd/3 || echo closed; exit 7',
    {},
  );
  expect(lines).toEqual(['closed']);
  expect(code).toBe(7);
});

test('a command cannot take the place of a port that is passed on', async () => {
  await using guard = await startServer('guard');
  const script = `require("net").createServer().listen(${guard.port},"127.0.0.1").on("error",(e)=>{console.log(e.code)})`;
  const still = fetch(`http://127.0.0.1:${guard.port}/still`);
  const { lines } = await inside(`'${process.execPath}' -e '${script}'; ${still}`, {
    ports: [guard.port],
  });
  expect(lines).toEqual(['EADDRINUSE', 'guard /still 0']);
});
