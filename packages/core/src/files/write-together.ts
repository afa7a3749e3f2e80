import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeFileAtomic } from './atomic-write.ts';
import { ensureFolder } from './ensure-folder.ts';

/** What several files of one folder become: the text of each, or null for a file that is removed. */
export type FileChanges = ReadonlyMap<string, string | null>;

/**
 * Changes several files of a folder together or not at all, and does what belongs to that (`seal`), such as a commit.
 * `note` is a file that only SAGA writes: it holds all changes before the first is made, so that after a kill
 * `finishTogether` does the rest. The caller holds the lock of the folder.
 */
export async function writeTogether(
  note: string,
  folder: string,
  changes: FileChanges,
  seal: () => Promise<unknown>,
): Promise<void> {
  ensureFolder(dirname(note));
  writeFileAtomic(note, JSON.stringify({ folder, files: Object.fromEntries(changes) }));
  await finishTogether(note, folder, seal);
}

/** Completes changes that were interrupted. Returns false if there are none for this folder. */
export async function finishTogether(
  note: string,
  folder: string,
  seal: () => Promise<unknown>,
): Promise<boolean> {
  if (!existsSync(note)) return false;
  const files = readChanges(note, folder);
  for (const [name, text] of files ?? []) {
    if (text === null) rmSync(join(folder, name), { force: true });
    else writeFileAtomic(join(folder, name), text);
  }
  if (files) await seal();
  rmSync(note, { force: true });
  return files !== undefined;
}

function readChanges(note: string, folder: string): FileChanges | undefined {
  try {
    const read = JSON.parse(readFileSync(note, 'utf8'));
    const files = Object.entries(read.files);
    return read.folder === folder && files.every(isChange)
      ? new Map(files as [string, string][])
      : undefined;
  } catch {
    // The note is written atomically, so somebody else damaged it: there is nothing to complete.
    return undefined;
  }
}

/** A name never leads out of the folder. */
const isChange = ([name, text]: [string, unknown]) =>
  /^[\w-][\w.-]*$/.test(name) && (text === null || typeof text === 'string');
