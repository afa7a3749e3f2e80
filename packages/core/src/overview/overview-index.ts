import { existsSync } from 'node:fs';
import type { Epic } from '@saga-ai/types/plan/epic';
import type { StoryFacts } from '@saga-ai/types/screens/story-facts';
import type { Problem } from '@saga-ai/types/words/problem';
import { loadCacheFile, saveCacheFile } from '../files/cache-file.ts';
import { tickOf, timeOf } from '../files/change-time.ts';

/**
 * What the scanner remembers of each story folder. An entry counts only while the folder and every
 * file that was read still carry the change times they had, so it can cost time but never truth.
 * File times are checked beside the folder's, since an editor that saves in place leaves the
 * folder's alone; change time rather than modification time, since nothing can set it back.
 */
interface Remembered {
  problems?: Problem[];
  names: string[];
  /** The change times of the folder and its files, summed: each only ever grows. */
  stamp: number;
}

export interface StoryEntry extends Remembered {
  facts: StoryFacts;
}

export interface EpicsEntry extends Remembered {
  epics: Epic[];
}

export interface OverviewIndex {
  /** By the story's home below the project. */
  stories: Record<string, StoryEntry>;
  epics?: EpicsEntry;
  /** What was wrong between them; it holds while they and the archive are the same. */
  plan?: { archived: string; problems: Problem[] };
}

/** Raise it when the meaning of an entry changes. */
const KIND = 'saga-overview 6';

export const createIndex = (): OverviewIndex => ({ stories: {} });

/** An unreadable, cut, altered or foreign index is an empty one. */
export function loadOverviewIndex(path: string): OverviewIndex {
  return keepEntries(loadCacheFile(path, KIND) as Partial<OverviewIndex> | undefined);
}

/**
 * Whatever else stands in the file, only entries that are some are used. What was parsed is kept as
 * it is: to copy ten thousand entries takes as long as a tenth of a start.
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

/** Zero when a file is gone, or changed too lately to be sure that it was the last time. */
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

/** Asked for every story at every call, so it makes no garbage beyond what stat itself makes. */
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
