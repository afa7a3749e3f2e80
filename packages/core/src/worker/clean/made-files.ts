import { type Dirent, lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';

/** Identifies the content of a file: its inode number, size, mode and change time. */
type Stamp = string;

/** The files that setup made in a checkout, by path. An empty folder counts as a file. */
export type MadeFiles = ReadonlyMap<string, Stamp>;

/** Finds what setup made: the files of a checkout that are not in `known`. */
export function stampMadeFiles(checkout: string, known: ReadonlySet<string>): MadeFiles {
  const made = new Map<string, Stamp>();
  const visit = (folder: string) => {
    const entries = listEntries(checkout, folder);
    if (entries.length === 0 && folder !== GIT) made.set(folder, EMPTY);
    for (const { path, isFolder } of entries) {
      if (isFolder) visit(path);
      else if (!known.has(path)) made.set(path, stampOf(`${checkout}/${path}`));
    }
  };
  visit('');
  return made;
}

/**
 * Removes every file that is neither made by setup nor in `known`. Returns false if a file of setup is gone or was
 * changed. The change time shows that, because a program cannot set it.
 */
export function keepMadeFiles(
  checkout: string,
  made: MadeFiles,
  known: ReadonlySet<string>,
): boolean {
  let same = 0;
  /** Returns whether something was removed. */
  const visit = (folder: string): boolean => {
    const entries = listEntries(checkout, folder);
    if (entries.length === 0 && made.has(folder)) same += 1;
    let hasRemoved = entries.length === 0 && !made.has(folder) && folder !== GIT;
    for (const { path, isFolder } of entries) {
      const whole = `${checkout}/${path}`;
      if (isFolder) {
        if (!visit(path)) continue;
        removeIfEmpty(whole);
        hasRemoved = true;
      } else if (made.has(path)) same += made.get(path) === stampOf(whole) ? 1 : 0;
      else if (!known.has(path)) {
        unlinkSync(whole);
        hasRemoved = true;
      }
    }
    return hasRemoved;
  };
  visit('');
  return same === made.size;
}

const EMPTY = 'empty';
const GIT = '.git';

interface Entry {
  path: string;
  isFolder: boolean;
}

/** Lists a folder. Of git's own folder only the submodules count: SAGA writes the rest anew. */
function listEntries(checkout: string, folder: string): Entry[] {
  const entries = readdirSync(`${checkout}/${folder}`, { withFileTypes: true });
  const counts = ({ name }: Dirent) => folder !== GIT || name === 'modules';
  return entries.filter(counts).map((it) => ({
    path: folder === '' ? it.name : `${folder}/${it.name}`,
    isFolder: it.isDirectory(),
  }));
}

function stampOf(path: string): Stamp {
  const { ino, size, mode, ctimeMs } = lstatSync(path);
  return `${ino} ${size} ${mode} ${ctimeMs}`;
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something is left in it.
  }
}
