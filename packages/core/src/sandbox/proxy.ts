import { request as ask, createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
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

/** A proxy that connects to allowed hosts only. It listens nowhere; connections are handed to it. */
export function createProxy({ isAllowed, onRefused, env }: ProxyOptions): Server {
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
    const outer = findOuterProxy(env, target, ['HTTP_PROXY', 'http_proxy']);
    const { method } = request;
    const headers = { ...withoutProxyHeaders(request), host: url.host, ...outer?.headers };
    const path = outer ? url.href : `${url.pathname}${url.search}`;
    const { host, port } = outer ?? target;
    const onward = ask({ host: bare(host), port, method, headers, path }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => (response.headersSent ? response.destroy() : fail(response)));
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  server.on('connect', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const url = URL.parse(`http://${request.url}`);
    if (url === null) return void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    const target = targetOf(url);
    if (!admit(target)) return void socket.end(`HTTP/1.1 403 ${REFUSED}\r\n\r\n`);
    const outer = findOuterProxy(env, target, PROXIES);
    const onOpen = (far: Duplex, early: Buffer) => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.write(early);
      far.write(head);
      join(socket, far);
    };
    const onFailed = () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    if (outer) tunnel(outer, target, onOpen, onFailed);
    else dial(target, onOpen, onFailed);
  });
  return server;
}

/** Passes everything that arrives on a connection on to a port of this machine. */
export function passOn(socket: Socket, port: number): void {
  const far = connect(port, '127.0.0.1');
  join(socket, far);
}

function join(near: Duplex, far: Duplex): void {
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
    one.pipe(other);
  }
}

type OnOpen = (far: Duplex, early: Buffer) => void;

function dial({ host, port }: Target, onOpen: OnOpen, onFailed: () => void): void {
  const far = connect(port, bare(host));
  far.once('error', onFailed);
  far.once('connect', () => {
    far.off('error', onFailed);
    onOpen(far, Buffer.alloc(0));
  });
}

interface OuterProxy extends Target {
  headers: Record<string, string>;
}

/** Connects through the proxy of the person's network. */
function tunnel(outer: OuterProxy, target: Target, onOpen: OnOpen, onFailed: () => void): void {
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
}

const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

function findOuterProxy(
  env: Environment,
  { host }: Target,
  names: readonly string[],
): OuterProxy | undefined {
  const named = names.map((name) => env[name]).find(Boolean);
  const url = URL.parse(named ?? '');
  if (url?.protocol !== 'http:') return undefined;
  const exempt = `${env.NO_PROXY ?? ''},${env.no_proxy ?? ''},localhost,127.0.0.1,[::1]`;
  if (isExempt(exempt, host)) return undefined;
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const word = `Basic ${Buffer.from(login).toString('base64')}`;
  return { ...targetOf(url), headers: url.username ? { 'proxy-authorization': word } : {} };
}

function targetOf({ hostname, port }: URL): Target {
  return { host: hostname, port: port === '' ? 80 : Number(port) };
}

/** An address of version 6 without the brackets that it has in a URL. */
const bare = (host: string) => host.replace(/^\[|\]$/g, '');

function withoutProxyHeaders({ headers }: IncomingMessage): Record<string, string | string[]> {
  const entries = Object.entries(headers).filter(([name]) => !/^(proxy-|connection$)/.test(name));
  return Object.fromEntries(entries) as Record<string, string | string[]>;
}

function fail(response: { writeHead(code: number): { end(): void } }): void {
  response.writeHead(502).end();
}
