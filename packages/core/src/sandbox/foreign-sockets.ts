import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readIfReadable } from '../files/read-text.ts';

/**
 * Lists the sockets with a file that programs of this machine listen on. A read-only folder does not protect
 * them: a program that sees the file can connect, for instance to Docker in a home folder.
 */
export function listSockets(table = '/proc/net/unix'): string[] {
  return [...new Set(parseSocketTable(readIfReadable(table) ?? '').flatMap(findSocket))];
}

/** The paths in the kernel's table. A name that begins with `@` has no file. */
export function parseSocketTable(text: string): string[] {
  return text.split('\n').flatMap((line) => /^\S+(?: +\S+){6} (\/.*)$/.exec(line)?.[1] ?? []);
}

/** The real path of a socket: `/var/run` is a link to `/run`, and the walls are built of real paths. */
function findSocket(path: string): string[] {
  try {
    const real = join(realpathSync(dirname(path)), basename(path));
    return lstatSync(real).isSocket() ? [real] : [];
  } catch {
    // The socket is gone, or is in a folder that this process may not enter. Then a run cannot reach it either.
    return [];
  }
}
