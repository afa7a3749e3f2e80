import { timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { toErrorAnswer } from './error-answer.ts';

export interface Guard {
  /** The address to listen on, as given by the user. */
  host: string;
  token: string;
}

const TOKEN_HEADER = 'x-saga-token';
const TOKEN_COOKIE = 'saga-token';
const LOCAL = ['127.0.0.1', 'localhost', '::1'];
const EVERYWHERE = ['0.0.0.0', '::'];

export const isLoopback = (host: string) =>
  LOCAL.includes(host) || (isIP(host) === 4 && host.startsWith('127.'));

/**
 * Decides which requests are answered. Requests from pages of other sites are refused by their headers Host
 * and Origin. Actions need the token. If the server listens beyond loopback, every request needs it.
 */
export function guardRequests({ host, token }: Guard): MiddlewareHandler {
  return async (c, next) => {
    const asked = parseHost(c.req.header('host'));
    if (asked === undefined || !isOurs(asked, host)) {
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
    if (isLoopback(host)) return next();
    const shown = c.req.query('token');
    if (![given, shown, getCookie(c, TOKEN_COOKIE)].some((it) => isToken(it, token))) {
      return c.json(WITHOUT_TOKEN, 401);
    }
    await next();
    // Files that a page loads carry no token header, so the token becomes a cookie here.
    if (isToken(shown, token) || isToken(given, token)) {
      setCookie(c, TOKEN_COOKIE, token, { httpOnly: true, sameSite: 'Strict', path: '/' });
    }
  };
}

const HINT = 'Open the address that saga dashboard printed.';
const WITHOUT_TOKEN = toErrorAnswer(
  'token',
  'This page may only read: its token is missing or wrong.',
  HINT,
);

/** Returns the host without the port. The port is right, because the request arrived through it. */
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
