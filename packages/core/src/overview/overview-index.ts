import { existsSync } from 'node:fs';
import type { Epic } from '@saga-ai/types/plan/epic';
import type { StoryFacts } from '@saga-ai/types/screens/story-facts';
import type { Problem } from '@saga-ai/types/words/problem';
import { loadCacheFile, saveCacheFile } from '../files/cache-file.ts';
import { tickOf, timeOf } from '../files/change-time.ts';

/**
 * What the scanner remembers of each story folder. An entry is valid only while the folder and every
 * file that was read have the same change times, so a wrong entry can cost time but never gives a
 * wrong result. File times are checked as well as the folder's, because an editor that saves in place
 * does not change the folder's time. Change times are used, because unlike modification times they
 * cannot be set back.
 */
interface Remembered {
  problems?: Problem[];
  /** Problems about fields that SAGA does not know, which have no effect. */
  unknown?: Problem[];
  names: string[];
  /** The sum of the change times of the folder and its files; each of them only grows. */
  stamp: number;
}

export interface StoryEntry extends Remembered {
  facts: StoryFacts;
}

export interface EpicsEntry extends Remembered {
  epics: Epic[];
}

export interface OverviewIndex {
  /** The entry of each story, by the path of its folder relative to the project. */
  stories: Record<string, StoryEntry>;
  epics?: EpicsEntry;
  /** The problems between stories and epics. Valid while they and the archive are unchanged. */
  plan?: { archived: string; problems: Problem[] };
}

/** Raise it when the meaning of an entry changes. */
const KIND = 'saga-overview 10';

export const createIndex = (): OverviewIndex => ({ stories: {} });

/** Loads the index. An index that is unreadable, truncated, altered or of another format counts as empty. */
export function loadOverviewIndex(path: string): OverviewIndex {
  return keepEntries(loadCacheFile(path, KIND) as Partial<OverviewIndex> | undefined);
}

/**
 * Keeps only valid entries. The parsed objects are reused: copying ten thousand entries would take a
 * tenth of a start.
 */
function keepEntries(input: Partial<OverviewIndex> | null | undefined): OverviewIndex {
  const index = createIndex();
  const stories: unknown = input?.stories;
  if (typeof stories === 'object' && stories !== null && !Array.isArray(stories)) {
    index.stories = stories as OverviewIndex['stories'];
  }
  for (const key in index.stories) {
    const entry = index.stories[key];
    if (!isRemembered(entry) || !entry.facts?.counts) delete index.stories[key];
  }
  const epics = input?.epics;
  if (isRemembered(epics) && Array.isArray(epics.epics)) index.epics = epics;
  const plan = input?.plan;
  if (Array.isArray(plan?.problems) && typeof plan.archived === 'string') index.plan = plan;
  return index;
}

function isRemembered<T extends Remembered>(entry: T | undefined | null): entry is T {
  return Array.isArray(entry?.names) && typeof entry.stamp === 'number';
}

export function saveOverviewIndex(path: string, index: OverviewIndex): void {
  saveCacheFile(path, KIND, index);
}

/** The stamp of a folder that does not exist. */
const ABSENT = -1;

/**
 * Returns the stamp of a folder and its files, or zero if a file is missing or changed so recently
 * that another change could carry the same time.
 */
export function readStamp(home: string, names: readonly string[], now: number): number {
  let sum = timeOf(home);
  if (sum === undefined) return existsSync(home) ? 0 : ABSENT;
  if (now - sum <= tickOf(sum)) return 0;
  for (const name of names) {
    const time = timeOf(`${home}/${name}`) ?? now;
    if (now - time <= tickOf(time)) return 0;
    sum += time;
  }
  return sum;
}

/**
 * Whether an entry is still valid. This runs for every story at every scan, so it allocates no memory besides that of
 * stat.
 */
export function isCurrent(entry: Remembered, home: string): boolean {
  let sum = timeOf(home);
  if (sum === undefined) return entry.stamp === ABSENT && !existsSync(home);
  for (const name of entry.names) {
    const time = timeOf(`${home}/${name}`);
    if (time === undefined) return false;
    sum += time;
  }
  return sum === entry.stamp;
}
