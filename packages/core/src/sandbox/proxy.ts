import {
  request as ask,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Duplex, PassThrough, pipeline } from 'node:stream';
import { SagaError } from '../errors.ts';
import type { Environment } from '../processes/run.ts';
import { isExempt } from './allowed-hosts.ts';

export interface ProxyOptions {
  isAllowed(host: string, port: number): boolean;
  onRefused(host: string, port: number): void;
  /** The environment of the worker: it may name a proxy that leads out of the person's network. */
  env: Environment;
}

/** What a command sees if the wall refuses its connection. */
const REFUSED = 'Refused by the sandbox of SAGA (sandbox.domains)';

interface Target {
  host: string;
  port: number;
}

/**
 * A proxy that connects to allowed hosts only. It listens nowhere; connections are handed to it. Throws if the address of
 * the proxy of the person's network cannot be read.
 */
export function createProxy({ isAllowed, onRefused, env }: ProxyOptions): Server {
  const findOuter = readOuterProxy(env, ['HTTP_PROXY', 'http_proxy']);
  const findOuterOfTunnel = readOuterProxy(env, PROXIES);
  const admit = (target: Target) => {
    if (isAllowed(target.host, target.port)) return true;
    onRefused(target.host, target.port);
    return false;
  };
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '');
    if (url?.protocol !== 'http:') return void response.writeHead(400).end();
    const target = targetOf(url);
    if (!admit(target)) return void response.writeHead(403, REFUSED).end(`${REFUSED}\n`);
    const outer = findOuter(target);
    const { method } = request;
    const headers = { ...withoutProxyHeaders(request), host: url.host, ...outer?.headers };
    const path = outer ? url.href : `${url.pathname}${url.search}`;
    const { host, port } = outer ?? target;
    const onward = ask({ host: bare(host), port, method, headers, path }, (answer) => {
      passAnswer(answer, response);
    });
    onward.on('error', () => fail(response));
    // An answer that changes the protocol ends without an error, and is not passed on.
    onward.on('close', () => fail(response));
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  server.on('connect', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const url = URL.parse(`http://${request.url}`);
    if (url === null) return void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    const target = targetOf(url);
    if (!admit(target)) return void socket.end(`HTTP/1.1 403 ${REFUSED}\r\n\r\n`);
    const outer = findOuterOfTunnel(target);
    // Read from the beginning, because the end of a command is only noticed by reading.
    const sent = socket.pipe(new PassThrough());
    const giveUp = () => socket.destroy();
    socket.on('end', giveUp);
    const onOpen = (far: Duplex, early: Buffer) => {
      socket.off('end', giveUp);
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.write(early);
      far.write(head);
      join(socket, far, sent);
    };
    const onFailed = () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const far = outer ? tunnel(outer, target, onOpen, onFailed) : dial(target, onOpen, onFailed);
    socket.on('close', () => far.destroy());
  });
  return server;
}

/** Passes everything that arrives on a connection on to a port of this machine. */
export function passOn(socket: Socket, port: number): void {
  const far = connect(port, '127.0.0.1');
  join(socket, far);
}

/** `sent` is what comes from near, if that is read already. */
function join(near: Duplex, far: Duplex, sent: Duplex = near): void {
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
  sent.pipe(far).pipe(near);
}

interface Destroyable {
  destroy(): unknown;
}

type OnOpen = (far: Duplex, early: Buffer) => void;

function dial({ host, port }: Target, onOpen: OnOpen, onFailed: () => void): Destroyable {
  const far = connect(port, bare(host));
  far.once('error', onFailed);
  far.once('connect', () => {
    far.off('error', onFailed);
    onOpen(far, Buffer.alloc(0));
  });
  return far;
}

interface OuterProxy extends Target {
  headers: Record<string, string>;
}

/** Connects through the proxy of the person's network. */
function tunnel(
  outer: OuterProxy,
  target: Target,
  onOpen: OnOpen,
  onFailed: () => void,
): Destroyable {
  const path = `${target.host}:${target.port}`;
  const onward = ask({
    host: bare(outer.host),
    port: outer.port,
    method: 'CONNECT',
    path,
    headers: { host: path, ...outer.headers },
  });
  onward.on('connect', (answer, far, early) => {
    if (answer.statusCode === 200) return onOpen(far, early);
    far.destroy();
    onFailed();
  });
  onward.on('response', () => onward.destroy(new Error('The proxy did not connect.')));
  onward.on('error', onFailed);
  onward.end();
  return onward;
}

const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Reads the address of the outer proxy once, and returns which connections go through it. */
function readOuterProxy(
  env: Environment,
  names: readonly string[],
): (target: Target) => OuterProxy | undefined {
  const name = names.find((it) => env[it]);
  const outer = name === undefined ? undefined : parseOuterProxy(name, env[name] ?? '');
  const exempt = `${env.NO_PROXY ?? ''},${env.no_proxy ?? ''},localhost,127.0.0.1,[::1]`;
  return ({ host }) => (isExempt(exempt, host) ? undefined : outer);
}

/** Returns undefined for a kind of proxy that is not supported. */
function parseOuterProxy(name: string, address: string): OuterProxy | undefined {
  const url = URL.parse(address.includes('://') ? address : `http://${address}`);
  if (url === null) throw unreadable(name);
  if (url.protocol !== 'http:') return undefined;
  try {
    const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    const word = `Basic ${Buffer.from(login).toString('base64')}`;
    return { ...targetOf(url), headers: url.username ? { 'proxy-authorization': word } : {} };
  } catch {
    // A `%` that stands for itself.
    throw unreadable(name);
  }
}

/** The address may hold a password, so it is not shown. */
const unreadable = (name: string) =>
  new SagaError(
    'invalid-config',
    `${name} of the environment names a proxy, but its address cannot be read.`,
    `Write it as http://user:password@host:port; in the password write % as %25, @ as %40 and / as %2F. To see it: echo "$${name}"`,
  );

function targetOf({ hostname, port }: URL): Target {
  return { host: hostname, port: port === '' ? 80 : Number(port) };
}

/** An address of version 6 without the brackets that it has in a URL. */
const bare = (host: string) => host.replace(/^\[|\]$/g, '');

function withoutProxyHeaders({ headers }: IncomingMessage): Record<string, string | string[]> {
  const entries = Object.entries(headers).filter(([name]) => !/^(proxy-|connection$)/.test(name));
  return Object.fromEntries(entries) as Record<string, string | string[]>;
}

/** Passes an answer on. One that is cut, or that HTTP does not allow, ends the request inside, and nothing else. */
function passAnswer(answer: IncomingMessage, response: ServerResponse): void {
  try {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    pipeline(answer, response, () => {});
  } catch {
    // Node refuses to write such a head.
    answer.destroy();
    response.destroy();
  }
}

/** Ends a request that has no answer, or only half of one. A finished answer stays as it is. */
function fail(response: ServerResponse): void {
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy();
  } else response.writeHead(502).end();
}
