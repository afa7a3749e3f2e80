import { Server, type Socket } from 'node:net';
import type { Channel, Environment } from '../processes/run.ts';
import { type AllowedHost, isAllowedHost, listLoopbackPorts } from './allowed-hosts.ts';
import { createProxy, passOn } from './proxy.ts';

/**
 * The way out of a sandbox that has a network of its own. The sandbox's first program opens ports on the loopback
 * inside and hands them to this process, which answers there. So no program inside can end or replace the server.
 */
export interface NetworkWall extends Disposable {
  /** Tell programs inside where the proxy is. */
  variables: Readonly<Record<string, string>>;
  /** The words that stand before the command: a program that opens the ports and then becomes the command. */
  lead: readonly string[];
  /** Takes the ports over from the program that opened them. */
  converse(channel: Channel): void;
}

export interface NetworkWallOptions {
  allowed: readonly AllowedHost[];
  /** Further ports of this machine that are passed on, such as the guard's. */
  ports: readonly number[];
  env: Environment;
  onRefused(host: string, port: number): void;
}

const EXEMPT = '127.0.0.1,localhost,::1';

export function createNetworkWall(options: NetworkWallOptions): NetworkWall {
  const { allowed, env, onRefused } = options;
  const passed = [...new Set([...options.ports, ...listLoopbackPorts(allowed)])];
  const proxyPort = findFreePort(passed);
  const proxy = createProxy({
    isAllowed: (host, port) => isAllowedHost(allowed, host, port),
    onRefused,
    env,
  });
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const serve = (port: number, server: Server) => {
    servers.push(server);
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      if (port === proxyPort) proxy.emit('connection', socket);
      else passOn(socket, port);
    });
  };
  const wanted = [proxyPort, ...passed];
  const url = `http://127.0.0.1:${proxyPort}`;
  return {
    variables: {
      ...Object.fromEntries(PROXY_VARIABLES.map((name) => [name, url])),
      NO_PROXY: EXEMPT,
      no_proxy: EXEMPT,
      // fetch of Node heeds the proxy only then.
      NODE_USE_ENV_PROXY: '1',
    },
    lead: ['/bin/sh', '-c', BECOME, 'sh', process.execPath, OPEN_PORTS, wanted.join(',')],
    converse(channel) {
      channel.on('message', (message: unknown, handle: unknown) => {
        const { port } = message as { port?: number };
        if (port === undefined || !(handle instanceof Server)) return;
        serve(port, handle);
        channel.send(servers.length === wanted.length ? 'go' : 'next');
      });
    },
    [Symbol.dispose]() {
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const PROXY_VARIABLES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'];

/** Finds a free port. In a new network every port is free, except those that are passed on. */
function findFreePort(passed: readonly number[]): number {
  let port = 3128;
  while (passed.includes(port)) port += 1;
  return port;
}

/** Opens the ports on loopback, one after the other, and hands each to the worker. */
const OPEN_PORTS = `
const net = require('node:net');
const ports = process.argv[1].split(',').map(Number);
const open = () => {
  const port = ports.shift();
  const server = net.createServer();
  server.on('error', (error) => {
    console.error('saga: port ' + port + ' cannot be opened inside the sandbox: ' + error.message);
    process.exit(1);
  });
  server.listen(port, '127.0.0.1', () => process.send({ port }, server));
};
process.on('message', (message) => (message === 'next' ? open() : process.exit(0)));
process.on('disconnect', () => process.exit(1));
open();
`;

/**
 * Runs the program above and becomes the command, without the channel. NODE_OPTIONS could make Node
 * load another file first.
 */
const BECOME = `
NODE_OPTIONS= "$1" -e "$2" "$3" < /dev/null || exit 1
shift 3
unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE
exec "$@" 3>&-
`;
