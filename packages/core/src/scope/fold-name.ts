/** Signs that some disks do not see in a name. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/**
 * A name as the most forgiving disk compares it: `.GIT`, `.ſaga` and a `.saga` with an invisible sign
 * inside may all be the folder we mean. Only for comparing, never for opening.
 */
export function foldName(name: string): string {
  return name.normalize('NFKC').replace(INVISIBLE, '').toUpperCase().toLowerCase();
}
