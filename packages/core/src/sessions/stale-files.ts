import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseSession } from '@saga-ai/types/words/names';
import { listFolder } from '../files/list-folder.ts';

/** Lists files `<session><end>` of a session folder that nobody wrote to for `ageMs`. */
export function listStaleFiles(folder: string, end: string, ageMs: number): string[] {
  const now = Date.now();
  return listFolder(folder, folder)
    .filter((name) => name.endsWith(end))
    .filter((name) => parseSession(name.slice(0, -end.length)) !== undefined)
    .map((name) => join(folder, name))
    .filter((file) => {
      const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
      return written !== undefined && now - written > ageMs;
    });
}
