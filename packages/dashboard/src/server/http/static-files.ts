import { realpathSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono, type MiddlewareHandler } from 'hono';

/** The pages as they were built. */
export function createStaticFiles(folder: string): Hono {
  const app = new Hono();
  app.use(keepInside(folder));
  app.get('*', serveStatic({ rewriteRequestPath: inFolder, onFound: setCache }));
  // A path without an ending is an address of the client, which finds its way itself.
  app.get('*', async (c, next) => (extname(c.req.path) === '' ? next() : noSuchFile(c)));
  app.get('*', serveStatic({ path: join(folder, 'index.html'), onFound: setCache }));
  app.get('*', (c) => c.text('The pages are not built here. The API answers below /api.\n', 503));
  return app;

  function inFolder(path: string): string {
    return join(folder, path);
  }

  /** Names below assets carry a hash of what is in them. */
  function setCache(path: string, c: Context): void {
    const isHashed = path.startsWith(join(folder, 'assets') + sep);
    const cache = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
    c.header('cache-control', cache);
  }
}

/**
 * Lets a path through that cannot mean a file elsewhere. `serveStatic` keeps `..` out, but follows links
 * and does not expect a NUL.
 */
function keepInside(folder: string): MiddlewareHandler {
  return async (c, next) => {
    const { path } = c.req;
    const isPlain = !/\.\.|[%\\\0]/.test(path);
    return isPlain && !isLinkOutside(folder, join(folder, path)) ? next() : noSuchFile(c);
  };
}

function isLinkOutside(folder: string, file: string): boolean {
  if (!statSync(file, { throwIfNoEntry: false })) return false;
  return !`${realpathSync(file)}${sep}`.startsWith(`${realpathSync(folder)}${sep}`);
}

const noSuchFile = (c: Context) => c.text('There is no such file.\n', 404);
