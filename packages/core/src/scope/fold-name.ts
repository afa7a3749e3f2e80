/** Characters that some disks ignore in a name. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/**
 * Folds a name as the most tolerant disk compares it: `.GIT`, `.ſaga` and a `.saga` with an invisible
 * character may all be the same folder. Only for comparing, never for opening.
 */
export function foldName(name: string): string {
  return name.normalize('NFKC').replace(INVISIBLE, '').toUpperCase().toLowerCase();
}
