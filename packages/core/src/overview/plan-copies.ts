import { loadCacheFile, saveCacheFile } from '../files/cache-file.ts';
import { digestPlan, listPlanFiles, readPlanTexts } from '../plan/plan-digest.ts';
import { mainStoryFolder, type Paths, planCopiesFile } from '../project/paths.ts';
import { isCurrent, readStamp } from './overview-index.ts';

/** Raise it when the meaning of a digest changes. */
const KIND = 'saga-plan-copies 1';

interface Digest {
  names: string[];
  stamp: number;
  digest: string;
}

/**
 * Compares the copies of a plan: the live one in a worktree, and the one in the main checkout. A digest is
 * remembered while the files are the same.
 */
export class PlanCopies {
  readonly #paths: Paths;
  readonly #isKept: boolean;
  /** The digest of each plan, by its folder. */
  readonly #known: Record<string, Digest>;
  #isChanged = false;

  constructor(paths: Paths, { isKept = true } = {}) {
    this.#paths = paths;
    this.#isKept = isKept;
    this.#known = isKept ? load(planCopiesFile(paths)) : {};
  }

  /** Returns the digest of the main checkout's copy if that copy differs from the live one. */
  findOther(storyId: string, home: string): string | undefined {
    const other = this.digestMain(storyId);
    const live = this.#digest(home);
    // If the main checkout lacks the story, it was begun elsewhere. If the live copy cannot be read, another problem
    // says so.
    if (other === undefined || live === undefined) return undefined;
    return other === live ? undefined : other;
  }

  /** Returns the digest of the main checkout's copy, or undefined if there is none. */
  digestMain(storyId: string): string | undefined {
    return this.#digest(mainStoryFolder(this.#paths, storyId));
  }

  save(): void {
    if (!this.#isChanged || !this.#isKept) return;
    this.#isChanged = false;
    saveCacheFile(planCopiesFile(this.#paths), KIND, this.#known);
  }

  #digest(folder: string): string | undefined {
    const known = this.#known[folder];
    if (known && isCurrent(known, folder)) return known.digest;
    // The time is taken first, so that a file that changes during the read is not trusted.
    const now = Date.now();
    const names = listPlanFiles(folder);
    if (names.length === 0) return undefined;
    const digest = digestPlan(readPlanTexts(folder));
    const stamp = readStamp(folder, names, now);
    if (stamp !== 0) {
      this.#known[folder] = { names, stamp, digest };
      this.#isChanged = true;
    }
    return digest;
  }
}

function load(file: string): Record<string, Digest> {
  const found = loadCacheFile(file, KIND);
  const known: Record<string, Digest> = {};
  if (typeof found !== 'object' || found === null) return known;
  for (const [folder, entry] of Object.entries(found) as [string, Digest | null][]) {
    const isSound =
      Array.isArray(entry?.names) &&
      typeof entry.stamp === 'number' &&
      typeof entry.digest === 'string';
    if (isSound) known[folder] = entry;
  }
  return known;
}
