import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseSession } from '@saga-ai/types/words/names';
import { listFolder } from '../files/list-folder.ts';

/** `<session>.env` in the session folder: the environment of a worker, until it has read it. */
export const ENVIRONMENT_FILE_END = '.env';

/** A worker reads its file within seconds; a minute later nobody will. */
const STALE_MS = 60_000;

/** Files with an environment, keys included, that no worker came to read. */
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

/** Removes them, and returns what was removed. */
export function clearStaleEnvironments(folder: string): string[] {
  const files = listStaleEnvironments(folder);
  for (const file of files) rmSync(file, { force: true });
  return files;
}
