import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { errorCodeOf, SagaError, toWriteError } from '../../errors.ts';
import { ensureIgnoredFolder } from '../../files/atomic-write.ts';
import { ensureFolder } from '../../files/ensure-folder.ts';
import { listFolder } from '../../files/list-folder.ts';
import { readIfThere } from '../../files/read-text.ts';
import { removeTree } from '../../files/remove-tree.ts';
import type { Worktree } from '../../git/worktree.ts';
import { acquireLock, findLockOwner } from '../../processes/lock.ts';
import { cleanNotesFolder, cleanPlaceLock, type Paths } from '../../project/paths.ts';

/**
 * A place for a clean checkout. Its path stays the same, because some programs write it into what they
 * install. Gates that run at the same time use different places.
 */
export interface CleanPlace {
  /** The checkout itself, beside the worktrees of the stories. */
  folder: string;
  /** What SAGA knows of the checkout. No run can write it behind the walls of the sandbox. */
  notes: string;
  release(): void;
}

const MOST = 100;
/** The name of the note with the path of the checkout. */
const PLACE = 'place';

/** Takes the first place that no other gate uses. */
export async function takeCleanPlace(
  paths: Paths,
  { folder: worktree }: Pick<Worktree, 'folder'>,
): Promise<CleanPlace> {
  for (let number = 1; number <= MOST; number++) {
    // An id has no dot, so no worktree of a story has this name.
    const folder = join(dirname(worktree), `clean.${number}`);
    const lock = await tryLock(cleanPlaceLock(paths, number));
    if (lock === undefined) continue;
    const notes = notesOf(paths, number);
    try {
      if (ownPlace(paths, folder, notes)) return { folder, notes, release: lock.release };
    } catch (error) {
      lock.release();
      throw toWriteError(error, folder);
    }
    lock.release();
  }
  throw new SagaError(
    'worktree-taken',
    `No clean checkout can be made in ${dirname(worktree)}: the names clean.1 to clean.${MOST} are taken.`,
    'Move away those that you do not need.',
  );
}

/** Removes the checkouts of killed workers. What setup made is kept for the next gate. */
export function sweepCleanPlaces(paths: Paths): void {
  for (const name of listFolder(paths.root, cleanNotesFolder(paths))) {
    const number = Number(name);
    const notes = notesOf(paths, number);
    const folder = readPlace(notes);
    if (folder === undefined || hasMadeFiles(notes)) continue;
    if (findLockOwner(cleanPlaceLock(paths, number)) === undefined) removePlace({ folder, notes });
  }
}

/** Removes a checkout and what is known of it. Can be repeated. */
export function removePlace({ folder, notes }: Pick<CleanPlace, 'folder' | 'notes'>): void {
  removeTree(folder);
  removeTree(notes);
}

/** Returns the path of the note about the files that setup made. The checkout is kept as long as this note exists. */
export const madeFilesNote = (notes: string) => join(notes, 'made.json');

const hasMadeFiles = (notes: string) => existsSync(madeFilesNote(notes));

const notesOf = (paths: Paths, number: number) => join(cleanNotesFolder(paths), String(number));

async function tryLock(path: string): Promise<{ release(): void } | undefined> {
  try {
    return await acquireLock(path, 0);
  } catch (error) {
    if (error instanceof SagaError && error.code === 'lock-held') return undefined;
    throw error;
  }
}

/** Takes the folder for SAGA. Returns false if something that is not SAGA's has its name. */
function ownPlace(paths: Paths, folder: string, notes: string): boolean {
  const noted = readPlace(notes);
  if (noted !== undefined && noted !== folder) removePlace({ folder: noted, notes });
  try {
    mkdirSync(folder);
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error;
    if (noted !== folder && readdirSync(folder).length > 0) return false;
  }
  ensureIgnoredFolder(paths.cache);
  ensureFolder(notes, 0o700);
  writeFileSync(join(notes, PLACE), folder);
  return true;
}

/** Checks the name, because the folder will be removed with everything in it. */
function readPlace(notes: string): string | undefined {
  const file = join(notes, PLACE);
  const folder = readIfThere(file) ?? '';
  return isAbsolute(folder) && /^clean\.\d+$/.test(basename(folder)) ? folder : undefined;
}
