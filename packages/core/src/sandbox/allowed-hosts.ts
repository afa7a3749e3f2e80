import type { NetworkReach } from '../scope/surroundings.ts';

/** A host that an enclosed command may reach. */
export interface AllowedHost {
  /** A name or an address in lower case, or `*.` and a name for every name below it. */
  host: string;
  ports: readonly number[];
}

/** The ports of http and https. An entry of `sandbox.domains` without a port allows both. */
const WEB_PORTS = [80, 443];

/**
 * Lists the hosts that the settings let a sandbox reach. Returns undefined if the network is open.
 * `endpoints` are the addresses of the model.
 */
export function listAllowedHosts(
  { network, domains }: NetworkReach,
  endpoints: readonly string[],
): AllowedHost[] | undefined {
  if (network === 'open') return undefined;
  const ofModel = endpoints.flatMap((url) => parseEndpoint(url) ?? []);
  return [...ofModel, ...(network === 'list' ? domains.map(parseDomain) : [])];
}

/** Whether a command may reach this port of a host. */
export function isAllowedHost(
  allowed: readonly AllowedHost[],
  asked: string,
  port: number,
): boolean {
  const name = normalize(asked);
  return allowed.some(({ host, ports }) => ports.includes(port) && covers(host, name));
}

/**
 * The ports of this machine that are allowed. A sandbox with a network of its own has a loopback of its
 * own, so these ports are passed on one by one.
 */
export function listLoopbackPorts(allowed: readonly AllowedHost[]): number[] {
  return [...new Set(allowed.filter(({ host }) => isLoopback(host)).flatMap((it) => it.ports))];
}

/** Whether a variable like NO_PROXY exempts a host. */
export function isExempt(list: string, asked: string): boolean {
  const name = normalize(asked);
  return list
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((it) => normalize(it).replace(/^\*?\./, ''))
    .some((it) => it === '*' || name === it || name.endsWith(`.${it}`));
}

/** The address that an endpoint names; undefined if it is no address. */
function parseEndpoint(text: string): AllowedHost | undefined {
  const url = URL.parse(text);
  if (url === null || url.hostname === '') return undefined;
  const usual = url.protocol === 'http:' ? 80 : 443;
  return { host: normalize(url.hostname), ports: [url.port === '' ? usual : Number(url.port)] };
}

function parseDomain(text: string): AllowedHost {
  const [, host = text, port] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  return { host: normalize(host), ports: port === undefined ? WEB_PORTS : [Number(port)] };
}

function covers(host: string, name: string): boolean {
  if (isLoopback(host)) return isLoopback(name);
  return host.startsWith('*.') ? name.endsWith(host.slice(1)) : name === host;
}

const isLoopback = (host: string) => ['localhost', '127.0.0.1', '[::1]'].includes(host);

const normalize = (host: string) => host.toLowerCase().replace(/\.$/, '');
