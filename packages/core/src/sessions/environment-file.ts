import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseSession } from '@saga-ai/types/words/names';
import { listFolder } from '../files/list-folder.ts';

/** `<session>.env` in the session folder holds the environment of a worker until the worker has read it. */
export const ENVIRONMENT_FILE_END = '.env';

/** A worker reads its file within seconds; a file older than a minute will never be read. */
const STALE_MS = 60_000;

/** Lists the environment files that no worker read. They contain keys. */
export function listStaleEnvironments(folder: string, now = Date.now()): string[] {
  return listFolder(folder, folder)
    .filter((name) => name.endsWith(ENVIRONMENT_FILE_END))
    .filter((name) => parseSession(name.slice(0, -ENVIRONMENT_FILE_END.length)) !== undefined)
    .map((name) => join(folder, name))
    .filter((file) => {
      const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
      return written !== undefined && now - written > STALE_MS;
    });
}

/** Removes the stale environment files and returns their paths. */
export function clearStaleEnvironments(folder: string): string[] {
  const files = listStaleEnvironments(folder);
  for (const file of files) rmSync(file, { force: true });
  return files;
}
