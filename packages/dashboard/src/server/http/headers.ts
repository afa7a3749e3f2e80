import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

const NONE = ["'none'"];
const SELF = ["'self'"];

/** Texts come from models: should one ever become a script, the browser does not run it. */
export const securityHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: NONE,
    scriptSrc: SELF,
    styleSrc: SELF,
    imgSrc: ["'self'", 'data:'],
    fontSrc: SELF,
    connectSrc: SELF,
    manifestSrc: SELF,
    baseUri: NONE,
    formAction: NONE,
    frameAncestors: NONE,
  },
  xFrameOptions: 'DENY',
  // The address holds the token.
  referrerPolicy: 'no-referrer',
  // It is served without TLS, where browsers ignore this header.
  strictTransportSecurity: false,
});

/** Nothing is kept by the browser unless an answer says that it may be. */
export const noStore: MiddlewareHandler = async (c, next) => {
  await next();
  if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store');
};
