import { TrashNote } from '@saga-ai/types/run/trash-note';
import { SagaError } from '../errors.ts';
import type { Git } from '../git/git.ts';
import { readBlobs } from '../git/read-blobs.ts';
import { parseTrashRef, TRASH, type TrashName } from '../git/refs/trash-refs.ts';
import { NOTES } from './save-work.ts';

/** One ref of the trash. */
export interface TrashEntry extends TrashName {
  commit: string;
  /** When it was kept, in milliseconds since the epoch. */
  keptAt: number;
  /** What SAGA noted of a story that can be restored. */
  note?: TrashNote;
}

/** Lists the trash, the newest first. A ref that SAGA did not name is left out. */
export async function listTrash(git: Git): Promise<TrashEntry[]> {
  const format = '--format=%(objectname) %(creatordate:unix) %(refname)';
  const { code, stdout } = await git.attempt(['for-each-ref', format, TRASH]);
  if (code !== 0) return [];
  const entries = stdout.split('\n').flatMap((line): TrashEntry[] => {
    const [commit = '', seconds, ref = ''] = line.split(' ');
    const name = parseTrashRef(ref);
    return name ? [{ ...name, commit, keptAt: name.timestamp ?? Number(seconds) * 1000 }] : [];
  });
  const notes = await readNotes(git, entries);
  const noted = entries.map((it) => {
    const note = notes.get(it.ref);
    return note ? { ...it, note } : it;
  });
  return noted.toSorted((a, b) => b.keptAt - a.keptAt || (a.ref < b.ref ? -1 : 1));
}

/** Reads the notes of all entries at once. The notes are unchecked: leaves out a text that is not a note. */
async function readNotes(
  git: Git,
  entries: readonly TrashEntry[],
): Promise<Map<string, TrashNote>> {
  const asked = entries.filter(({ kind }) => kind === 'story');
  const notes = new Map<string, TrashNote>();
  if (asked.length === 0) return notes;
  const input = asked.map(({ ref }) => `${ref}^2:notes/${NOTES.note}\n`).join('');
  const format = '--batch-check=%(objectname) %(objecttype)';
  const found = (await git.run(['cat-file', format], { input })).split('\n');
  const blobs = asked.flatMap(({ ref, story }, i) => {
    const [blob = '', kind] = (found[i] ?? '').split(' ');
    return kind === 'blob' ? [{ ref, story, blob }] : [];
  });
  const texts = await readBlobs(
    git,
    blobs.map(({ blob }) => blob),
  );
  for (const [i, { ref, story }] of blobs.entries()) {
    const note = parseNote(texts[i]);
    if (note?.story === story) notes.set(ref, note);
  }
  return notes;
}

function parseNote(text: string | undefined): TrashNote | undefined {
  try {
    const parsed = TrashNote.safeParse(JSON.parse(text ?? ''));
    return parsed.success ? parsed.data : undefined;
  } catch {
    // The text is not JSON.
    return undefined;
  }
}

/** Finds one entry by its story (then the newest), or by its ref, with or without the folder of the trash. */
export function findTrashed(
  entries: readonly TrashEntry[],
  name: string,
  isMeant: (entry: TrashEntry) => boolean = () => true,
): TrashEntry {
  const found =
    entries.find((it) => it.ref === name || it.ref === `${TRASH}/${name}`) ??
    entries.filter(isMeant).find((it) => it.story === name);
  if (found) return found;
  throw new SagaError(
    'not-found',
    `Nothing of ${JSON.stringify(name)} is in the trash.`,
    'saga trash list shows what is there.',
  );
}

/** Removes refs of the trash for good. git deletes their files later. */
export async function dropTrash(git: Git, entries: readonly TrashEntry[]): Promise<void> {
  if (entries.length === 0) return;
  // One transaction, and only if nobody moved a ref since it was listed.
  const input = entries.map(({ ref, commit }) => `delete ${ref} ${commit}\n`).join('');
  await git.run(['update-ref', '--stdin'], { input });
}
