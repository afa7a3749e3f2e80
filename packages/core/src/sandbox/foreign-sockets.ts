import { lstatSync, readFileSync } from 'node:fs';

/**
 * Lists the sockets with a file that programs of this machine listen on. A read-only folder is no wall
 * for these: whoever sees the file can connect, for instance to Docker in a home folder.
 */
export function listSockets(table = '/proc/net/unix'): string[] {
  const paths = new Set(parseSocketTable(readTable(table)));
  return [...paths].filter(isSocket);
}

/** The paths in the kernel's table. A name that begins with `@` has no file. */
export function parseSocketTable(text: string): string[] {
  return text.split('\n').flatMap((line) => /^\S+(?: +\S+){6} (\/.*)$/.exec(line)?.[1] ?? []);
}

function readTable(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // This system has no such table.
    return '';
  }
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSocket() ?? false;
  } catch {
    // It lies in a folder that may not be entered; then a run cannot reach it either.
    return false;
  }
}
