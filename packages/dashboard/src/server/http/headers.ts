import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

const NONE = ["'none'"];
const SELF = ["'self'"];

/** Models write the texts. If one of them became a script by mistake, this policy stops the browser from running it. */
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
  // The address contains the token.
  referrerPolicy: 'no-referrer',
  // The pages are served without TLS, and browsers then ignore this header.
  strictTransportSecurity: false,
});

/** The browser keeps no answer unless the answer allows it. */
export const noStore: MiddlewareHandler = async (c, next) => {
  await next();
  if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store');
};
