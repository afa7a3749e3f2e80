import type { Epic } from '@saga-ai/types/plan/epic';
import type { LocatedStory } from '@saga-ai/types/screens/story-facts';
import type { Problem } from '@saga-ai/types/words/problem';
import { listArchived } from '../plan/archived.ts';
import { overviewIndexFile, type Paths } from '../project/paths.ts';
import {
  createIndex,
  type EpicsEntry,
  isCurrent,
  loadOverviewIndex,
  type OverviewIndex,
  type StoryEntry,
  saveOverviewIndex,
} from './overview-index.ts';
import { checkReferences, type Home } from './scan-project.ts';

/** The problems between stories and epics, and the archive they were found with. */
export type References = NonNullable<OverviewIndex['plan']>;

/**
 * The plan as the index remembers it: which parts are still valid, and how it is saved. Ask for every story and for the
 * epics first: the remembered problems between them are valid only if all their entries are.
 */
export class RememberedPlan {
  readonly #paths: Paths;
  readonly #index: OverviewIndex;
  #found = 0;
  #isMissing = false;

  /** With `index: false`, nothing is remembered. */
  constructor(paths: Paths, options: { index?: boolean } = {}) {
    this.#paths = paths;
    const isUsed = options.index ?? true;
    this.#index = isUsed ? loadOverviewIndex(overviewIndexFile(paths)) : createIndex();
  }

  /**
   * Returns undefined if the story must be read. With `isTrusted`, the entry is not compared with the
   * files.
   */
  story({ key, home }: Home, { isTrusted = false } = {}): StoryEntry | undefined {
    const entry = this.#index.stories[key];
    if (entry && (isTrusted || isCurrent(entry, home))) {
      this.#found++;
      return entry;
    }
    this.#isMissing = true;
    return undefined;
  }

  /** Returns undefined if the epics must be read. */
  epics(): EpicsEntry | undefined {
    const { epics } = this.#index;
    if (epics && isCurrent(epics, this.#paths.epics)) return epics;
    this.#isMissing = true;
    return undefined;
  }

  /** Whether the index contains everything that was asked for, and nothing else. */
  isWhole(): boolean {
    return !this.#isMissing && this.#found === Object.keys(this.#index.stories).length;
  }

  /** Returns undefined if the references must be checked again. */
  references(): References | undefined {
    const { plan } = this.#index;
    if (!this.isWhole() || plan?.archived !== formatArchived(listArchived(this.#paths))) {
      return undefined;
    }
    return plan;
  }
}

export function findReferences(
  paths: Paths,
  stories: Iterable<Pick<LocatedStory, 'facts' | 'home'>>,
  epics: readonly Epic[],
): References {
  const archived = listArchived(paths);
  const problems: Problem[] = checkReferences(archived, stories, epics);
  return { archived: formatArchived(archived), problems };
}

/** Whether the archive is the same as when the references were checked. */
export function isSameArchive(paths: Paths, { archived }: References): boolean {
  return archived === formatArchived(listArchived(paths));
}

/** Saves the index. Leaves out what changed just now, because it may change again without a new time. */
export function saveRemembered(
  paths: Paths,
  stories: Iterable<{ home: string; entry: StoryEntry }>,
  epics: EpicsEntry,
  references: References | undefined,
): void {
  const all = [...stories];
  const settled = all.filter(({ entry }) => entry.stamp !== 0);
  const isSettled = settled.length === all.length && epics.stamp !== 0;
  saveOverviewIndex(overviewIndexFile(paths), {
    stories: Object.fromEntries(settled.map(({ home, entry }) => [home, entry])),
    epics: epics.stamp === 0 ? undefined : epics,
    plan: isSettled && references ? references : undefined,
  });
}

const formatArchived = (archived: ReadonlySet<string>) => [...archived].sort().join('/');
