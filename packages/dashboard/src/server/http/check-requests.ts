import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { toErrorAnswer } from './error-answer.ts';

export interface RequestCheck {
  /** The address to listen on, as given by the user. */
  host: string;
  token: string;
  /** Further host names, as the settings list them. */
  names?: readonly string[];
}

const TOKEN_HEADER = 'x-saga-token';
const COOKIE = 'saga-read';
const LOCAL = ['127.0.0.1', 'localhost', '::1'];
const EVERYWHERE = ['0.0.0.0', '::'];

export const isLoopback = (host: string) =>
  LOCAL.includes(host) || (isIP(host) === 4 && host.startsWith('127.'));

/**
 * Decides which requests are answered. Requests from pages of other sites are refused by their headers Host
 * and Origin. Everything below /api needs the token. If the server listens beyond loopback, the files of the
 * pages need it, too.
 */
export function checkRequests({ host, token, names = [] }: RequestCheck): MiddlewareHandler {
  const readKey = deriveReadKey(token);
  return async (c, next) => {
    const asked = parseHost(c.req.header('host'));
    const isNamed = names.some((it) => it.toLowerCase() === asked);
    if (asked === undefined || !(isNamed || isOurs(asked, host))) {
      return c.json(
        toErrorAnswer('forbidden', 'The dashboard does not answer to this host name.', HINT),
        403,
      );
    }
    const origin = c.req.header('origin');
    if (origin !== undefined && parseOrigin(origin) !== c.req.header('host')) {
      return c.json(
        toErrorAnswer('forbidden', 'The request comes from a page of another site.', HINT),
        403,
      );
    }
    const isAction = !['GET', 'HEAD'].includes(c.req.method);
    const given = c.req.header(TOKEN_HEADER);
    if (isAction && !isToken(given, token)) return c.json(WITHOUT_TOKEN, 401);
    const isOfApi = /^\/api(\/|$)/.test(c.req.path);
    // An address of a page shows the token; requests of the page carry it in a header.
    const shown = isOfApi ? undefined : c.req.query('token');
    const showsToken = isToken(shown, token) || isToken(given, token);
    const cookie = `${COOKIE}-${parsePort(c.req.header('host'))}`;
    const hasCookie = isToken(getCookie(c, cookie), readKey);
    const isOpen = isLoopback(host) && !isOfApi;
    if (!isOpen && !showsToken && !hasCookie) return c.json(WITHOUT_TOKEN, 401);
    await next();
    // Files and the stream of changes are requested without a header, so the browser gets a cookie for them.
    if (showsToken && !hasCookie) {
      setCookie(c, cookie, readKey, { httpOnly: true, sameSite: 'Strict', path: '/' });
    }
  };
}

/**
 * Returns the value of the cookie. Browsers send the cookie to every server of this host name, on all ports. So the
 * value is not the token, and only allows reading.
 */
const deriveReadKey = (token: string) =>
  createHash('sha256').update(`read ${token}`).digest('base64url');

/** Dashboards of several projects are on one host name, and each has its own cookie. */
const parsePort = (header: string | undefined) => /:(\d+)$/.exec(header ?? '')?.[1] ?? 'web';

const HINT = 'Open the address that saga dashboard printed.';
const WITHOUT_TOKEN = toErrorAnswer(
  'token',
  'The token is missing or wrong, and without it the dashboard answers nothing.',
  HINT,
);

/** Returns the host without the port. The port need not be checked, because the request arrived through it. */
function parseHost(header: string | undefined): string | undefined {
  const [, bracketed, plain] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+))(?::\d+)?$/.exec(header ?? '') ?? [];
  return (bracketed ?? plain)?.toLowerCase();
}

function isOurs(asked: string, host: string): boolean {
  if (isLoopback(host)) return LOCAL.includes(asked) || asked === host;
  // Anybody can make a DNS name point to this machine, so names are refused. An IP address is safe.
  return asked === host.toLowerCase() || (EVERYWHERE.includes(host) && isKnown(asked));
}

const isKnown = (asked: string) =>
  isIP(asked) !== 0 || asked === 'localhost' || asked === hostname().toLowerCase();

function parseOrigin(origin: string): string | undefined {
  return /^https?:\/\/(.+)$/.exec(origin)?.[1];
}

function isToken(given: string | undefined, token: string): boolean {
  if (given === undefined || given.length !== token.length) return false;
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
