import { mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { errorCodeOf, SagaError, toWriteError } from '../../errors.ts';
import { ensureIgnoredFolder, writeFileAtomic } from '../../files/atomic-write.ts';
import { ensureFolder } from '../../files/ensure-folder.ts';
import { listFolder } from '../../files/list-folder.ts';
import { readIfThere } from '../../files/read-text.ts';
import { removeTree } from '../../files/remove-tree.ts';
import type { Worktree } from '../../git/worktree.ts';
import { acquireLock } from '../../processes/lock.ts';
import { cleanNotesFolder, cleanPlaceLock, type Paths } from '../../project/paths.ts';

/**
 * A place for a clean checkout. Its path is the same for each gate, because caches of compilers know it. Gates that
 * run at the same time use different places.
 */
export interface CleanPlace {
  /** The checkout itself, beside the worktrees of the stories. Empty when the place is taken. */
  folder: string;
  /** What SAGA knows of the checkout. No run can write it behind the walls of the sandbox. */
  notes: string;
  /** Removes the checkout, and lets the next gate have the place. */
  giveBack(): void;
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
      if (ownPlace(paths, folder, notes)) {
        return { folder, notes, giveBack: () => giveBack({ folder, notes }, lock) };
      }
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

/** Removes the checkouts of killed workers. */
export async function sweepCleanPlaces(paths: Paths): Promise<void> {
  for (const name of listFolder(paths.root, cleanNotesFolder(paths))) {
    const number = Number(name);
    const notes = notesOf(paths, number);
    if (readPlace(notes) === undefined) continue;
    const lock = await tryLock(cleanPlaceLock(paths, number));
    if (lock === undefined) continue;
    try {
      removeNoted(notes);
    } finally {
      lock.release();
    }
  }
}

function giveBack({ folder, notes }: Omit<CleanPlace, 'giveBack'>, lock: Lock): void {
  try {
    removePlace(folder, notes);
  } catch {
    // The result of the gate counts. The next gate removes the checkout, or says why it cannot.
  } finally {
    lock.release();
  }
}

/** Removes a checkout and what is known of it. Can be repeated. */
function removePlace(folder: string, notes: string): void {
  removeTree(folder);
  removeTree(notes);
}

function removeNoted(notes: string): void {
  const folder = readPlace(notes);
  if (folder !== undefined) removePlace(folder, notes);
}

const notesOf = (paths: Paths, number: number) => join(cleanNotesFolder(paths), String(number));

interface Lock {
  release(): void;
}

async function tryLock(path: string): Promise<Lock | undefined> {
  try {
    return await acquireLock(path, 0);
  } catch (error) {
    if (error instanceof SagaError && error.code === 'lock-held') return undefined;
    throw error;
  }
}

/**
 * Takes the folder for SAGA, empty: what a killed gate left is removed. Returns false if something that is not SAGA's
 * has its name.
 */
function ownPlace(paths: Paths, folder: string, notes: string): boolean {
  removeNoted(notes);
  try {
    mkdirSync(folder);
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error;
    if (readdirSync(folder).length > 0) return false;
  }
  ensureIgnoredFolder(paths.cache);
  removeTree(notes);
  ensureFolder(notes, 0o700);
  writeFileAtomic(join(notes, PLACE), folder);
  return true;
}

/** Checks the name, because the folder will be removed with everything in it. */
function readPlace(notes: string): string | undefined {
  const file = join(notes, PLACE);
  const folder = readIfThere(file) ?? '';
  return isAbsolute(folder) && /^clean\.\d+$/.test(basename(folder)) ? folder : undefined;
}
