import { rmSync } from 'node:fs';
import { listStaleFiles } from './stale-files.ts';

/** `<session>.env` in the session folder holds the environment of a worker until the worker has read it. */
export const ENVIRONMENT_FILE_END = '.env';

/** A worker reads its file within seconds; a file older than a minute will never be read. */
const STALE_MS = 60_000;

/** Lists the environment files that no worker has read. Such files may contain keys. */
export function listStaleEnvironments(folder: string): string[] {
  return listStaleFiles(folder, ENVIRONMENT_FILE_END, STALE_MS);
}

/** Removes the stale environment files and returns their paths. */
export function clearStaleEnvironments(folder: string): string[] {
  const files = listStaleEnvironments(folder);
  for (const file of files) rmSync(file, { force: true });
  return files;
}
