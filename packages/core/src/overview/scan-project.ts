import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Epic } from '@saga-ai/types/plan/epic';
import { isId } from '@saga-ai/types/plan/ids';
import { epicFilePath, STORY_FILE } from '@saga-ai/types/plan/plan-paths';
import type { SessionView } from '@saga-ai/types/screens/overview';
import type { LocatedStory } from '@saga-ai/types/screens/story-facts';
import type { Problem } from '@saga-ai/types/words/problem';
import { describeUnlisted, listFolder } from '../files/list-folder.ts';
import { findOwnLinks, isLink } from '../files/own-links.ts';
import { checkPlan } from '../plan/check-plan.ts';
import { findLockOwner } from '../processes/lock.ts';
import { displayPath } from '../project/display-path.ts';
import {
  epicLock,
  heldFolder,
  mainStoryFolder,
  type Paths,
  parseItemLock,
  workerLock,
} from '../project/paths.ts';
import { findStoryHome, listWorktreeHomes } from '../project/story-home.ts';
import { type EpicsEntry, readStamp, type StoryEntry } from './overview-index.ts';

/** The live copy of a story's folder. */

export interface Home {
  id: string;
  /** The absolute path. */
  home: string;
  /** The path as people read it. */
  key: string;
  /** The live copy is in a worktree. */
  isInWorktree: boolean;
}

/** Lists every story once, with its live copy. */
export function listHomes(paths: Paths, problems: Problem[]): Home[] {
  problems.push(...findOwnLinks(paths));
  const inMain = isLink(paths.stories) ? [] : listFolder(paths.root, paths.stories, problems);
  const inWorktrees = listWorktreeHomes(paths, (folder, error) =>
    problems.push(describeUnlisted(paths.root, folder, error)),
  );
  const below = displayPath(paths.root, paths.stories);
  const homes = new Map<string, Home>();
  for (const id of inMain)
    homes.set(id, {
      id,
      home: `${paths.stories}/${id}`,
      key: `${below}/${id}`,
      isInWorktree: false,
    });
  for (const [id, home] of inWorktrees) {
    homes.set(id, { id, home, key: displayPath(paths.root, home), isInWorktree: true });
  }
  return [...homes.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Finds the live copy of one story. */
export function findHome(paths: Paths, id: string): Home | undefined {
  const home = findStoryHome(paths, id);
  if (home === undefined) return undefined;
  const isInWorktree = home !== mainStoryFolder(paths, id);
  return { id, home, key: displayPath(paths.root, home), isInWorktree };
}

/** Loaded only when a file must be read, because it loads the schemas too. */
let scanner: typeof import('../plan/scan-story.ts') | undefined;

/**
 * Reads a story and its stamp. The time is taken first, so that a file that changes during the read is
 * not trusted.
 */
export async function scanStoryEntry(
  paths: Paths,
  { id, home }: Pick<Home, 'id' | 'home'>,
): Promise<StoryEntry> {
  scanner ??= await import('../plan/scan-story.ts');
  const now = Date.now();
  const scan = scanner.scanStory(paths.root, home, id);
  const { names } = scan;
  const facts = scanner.deriveFacts(id, scan);
  const stamp = readStamp(home, names, now);
  return { facts, ...keepFound(scan), names, stamp };
}

export async function scanEpicsEntry(paths: Paths): Promise<EpicsEntry> {
  const now = Date.now();
  const { readEpics } = await import('../plan/epics.ts');
  const { epics, names, ...found } = readEpics(paths);
  const stamp = readStamp(paths.epics, names, now);
  return { epics, ...keepFound(found), names, stamp };
}

/** Leaves out empty lists: nearly every file has neither problems nor unknown fields, and the index becomes smaller. */
function keepFound({ problems, unknown }: { problems: Problem[]; unknown: Problem[] }) {
  return {
    ...(problems.length > 0 ? { problems } : {}),
    ...(unknown.length > 0 ? { unknown } : {}),
  };
}

/** Compares the two copies of the plan of a story that has a worktree or a branch. The module is loaded only then. */
export class Copies {
  readonly #paths: Paths;
  readonly #options: { isKept?: boolean };
  #copies: import('./plan-copies.ts').PlanCopies | undefined;

  constructor(paths: Paths, options: { isKept?: boolean } = {}) {
    this.#paths = paths;
    this.#options = options;
  }

  async describe({ id, home, isInWorktree }: Home): Promise<Pick<LocatedStory, 'worktree'>> {
    if (!isInWorktree) return {};
    const otherPlan = (await this.#open()).findOther(id, home);
    return { worktree: otherPlan === undefined ? {} : { otherPlan } };
  }

  async digestMain(id: string): Promise<string | undefined> {
    return (await this.#open()).digestMain(id);
  }

  async #open(): Promise<import('./plan-copies.ts').PlanCopies> {
    if (!this.#copies) {
      const { PlanCopies } = await import('./plan-copies.ts');
      this.#copies = new PlanCopies(this.#paths, this.#options);
    }
    return this.#copies;
  }

  save(): void {
    this.#copies?.save();
  }
}

/**
 * Lists the stories with a living worker and the epics with a living scheduler, by their locks, and those that another
 * machine works on.
 */
export function listRunning(paths: Paths): Set<string> {
  const running = new Set<string>(listFolder(paths.root, heldFolder(paths)));
  for (const name of listFolder(paths.root, paths.locks)) {
    const lock = parseItemLock(name);
    if (lock?.kind !== 'worker' && lock?.kind !== 'epic') continue;
    if (findLockOwner(join(paths.locks, name))) running.add(lock.id);
  }
  return running;
}

export const isRunning = (paths: Paths, id: string): boolean =>
  isHeld(paths, id) ||
  [workerLock, epicLock].some((lockOf) => findLockOwner(lockOf(paths, id)) !== undefined);

/** Whether another machine of the fleet works on the story or epic, as far as this machine knows. */
export const isHeld = (paths: Paths, id: string): boolean =>
  isId(id) && existsSync(join(heldFolder(paths), id));

/** Loads the session of a running story. The module is loaded only then. */
export async function loadLiveSession(paths: Paths, id: string): Promise<SessionView | undefined> {
  const { findLiveSession } = await import('../records/session-records.ts');
  return findLiveSession(paths, id);
}

export async function loadStalledSince(
  paths: Paths,
  { session }: SessionView,
): Promise<string | undefined> {
  const { loadStall } = await import('../records/find-silence.ts');
  return loadStall(paths, session, Date.now());
}

export function checkReferences(
  archived: ReadonlySet<string>,
  stories: Iterable<Pick<LocatedStory, 'facts' | 'home'>>,
  epics: readonly Epic[],
): Problem[] {
  return checkPlan({
    stories: Array.from(stories, ({ facts, home }) => ({
      id: facts.id,
      epic: facts.epic,
      file: `${home}/${STORY_FILE}`,
    })),
    epics,
    archived,
    epicFileOf: epicFilePath,
  });
}
