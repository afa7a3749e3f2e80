import { rmSync } from 'node:fs';
import { listStaleFiles } from './stale-files.ts';

/** `<session>.env` in the session folder: the environment of a worker, until it has read it. */
export const ENVIRONMENT_FILE_END = '.env';

/** A worker reads its file within seconds; a minute later nobody will. */
const STALE_MS = 60_000;

/** Files with an environment, keys included, that no worker came to read. */
export function listStaleEnvironments(folder: string): string[] {
  return listStaleFiles(folder, ENVIRONMENT_FILE_END, STALE_MS);
}

/** Removes them, and returns what was removed. */
export function clearStaleEnvironments(folder: string): string[] {
  const files = listStaleEnvironments(folder);
  for (const file of files) rmSync(file, { force: true });
  return files;
}
