import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** Of the pages, built. What is asked for is looked up among the files there are, so nothing else can be meant. */
export async function answerStatic(folder: string, path: string): Promise<Response> {
  const files = listFiles(folder);
  const name = path.replace(/^\/+/, '');
  if (files.has(name)) return sendFile(folder, name);
  // Whatever has no ending is an address of the client, which finds its way itself.
  if (extname(path) !== '' || path.includes('..') || path.includes('%')) return NOT_FOUND();
  return files.has('index.html') ? sendFile(folder, 'index.html') : notBuilt();
}

async function sendFile(folder: string, name: string): Promise<Response> {
  const body = await readFile(join(folder, name));
  // Names below assets carry a hash of what is in them.
  const isHashed = name.startsWith('assets/');
  return new Response(body, {
    headers: {
      'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
      'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
  });
}

function listFiles(folder: string): Set<string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return new Set(
      entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .map((path) => path.split(sep).join('/')),
    );
  } catch {
    // The pages are not built; whoever opens one is told.
    return new Set();
  }
}

const NOT_FOUND = () => new Response('There is no such file.\n', { status: 404 });

const notBuilt = () =>
  new Response('The pages are not built here. The API answers below /api.\n', {
    status: 503,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
