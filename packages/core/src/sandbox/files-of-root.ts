import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { listEntries } from '../files/list-folder.ts';

/** Files of /proc that show root the memory and the keys of the whole machine. */
const MEMORY = ['/proc/kcore', '/proc/keys'];

/** What only root can read, although the walls take every other right from it. Empty for an ordinary user. */
export function listFilesOfRoot(userId = process.getuid?.()): string[] {
  return userId === 0 ? [...MEMORY, ...listPrivate('/etc')] : [];
}

/** Lists the files and folders that other users than their owner cannot read, such as /etc/shadow and host keys. */
export function listPrivate(folder: string): string[] {
  return listEntries(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    const mode = lstatSync(path, { throwIfNoEntry: false })?.mode;
    if (mode === undefined || !(entry.isDirectory() || entry.isFile())) return [];
    if ((mode & (entry.isDirectory() ? 0o005 : 0o004)) === 0) return [path];
    return entry.isDirectory() ? listPrivate(path) : [];
  });
}
