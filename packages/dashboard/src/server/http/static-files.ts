import { realpathSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono, type MiddlewareHandler } from 'hono';

/** Serves the built pages. */
export function createStaticFiles(folder: string): Hono {
  const app = new Hono();
  app.use(keepInside(folder));
  app.get('*', serveStatic({ rewriteRequestPath: inFolder, onFound: setCache }));
  // A path without a file extension is a route of the client and gets the page itself.
  app.get('*', async (c, next) => (extname(c.req.path) === '' ? next() : noSuchFile(c)));
  app.get('*', serveStatic({ path: join(folder, 'index.html'), onFound: setCache }));
  app.get('*', (c) => c.text('The pages are not built here. The API answers below /api.\n', 503));
  return app;

  function inFolder(path: string): string {
    return join(folder, path);
  }

  /** File names in assets contain a hash of the content, so browsers may keep these files. */
  function setCache(path: string, c: Context): void {
    const isHashed = path.startsWith(join(folder, 'assets') + sep);
    const cache = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
    c.header('cache-control', cache);
  }
}

/**
 * Allows only paths of files inside the folder. `serveStatic` refuses `..`, but follows links and does not
 * expect a NUL character.
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
