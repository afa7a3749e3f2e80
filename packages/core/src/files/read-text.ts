import { existsSync, readFileSync } from 'node:fs';

/** Returns undefined if there is no such file. Throws if the file is there and cannot be read. */
export function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Returns undefined if the file is missing, or cannot be read for any other reason. */
export function readIfReadable(
  path: string,
  how: { encoding: 'utf8'; flag?: string } = { encoding: 'utf8' },
): string | undefined {
  try {
    return readFileSync(path, how);
  } catch {
    // To the caller, a text that cannot be read is one that is not there.
    return undefined;
  }
}
