import { setImmediate } from 'node:timers/promises';
import { deriveOverview } from '@saga-ai/types/screens/derive-overview';
import type { Overview } from '@saga-ai/types/screens/overview';
import type { LocatedStory } from '@saga-ai/types/screens/story-facts';
import type { Problem } from '@saga-ai/types/words/problem';
import type { Environment } from '../processes/run.ts';
import type { Paths } from '../project/paths.ts';
import { TraceFinder } from './facts/trace-finder.ts';
import type { StoryEntry } from './overview-index.ts';
import { findReferences, RememberedPlan, saveRemembered } from './remembered-plan.ts';
import {
  Copies,
  type Home,
  listHomes,
  listRunning,
  loadLiveSession,
  loadStalledSince,
  scanEpicsEntry,
  scanStoryEntry,
} from './scan-project.ts';

/** While git is asked, its answers are read after this many stories, which take a few milliseconds. */
const BETWEEN_TURNS = 100;

/**
 * Scans the project. There is no other scanner: every screen that shows stories uses this one. A bad file does not hide
 * the good ones. git is started with `env`, and only if its branches changed. With null for `env`, only the files are
 * read, and the states of stories are not known. `withUnknown` adds fields that SAGA does not know to the problems.
 * `isForScheduler` leaves out what schedulers could not do.
 */
export async function loadOverview(
  paths: Paths,
  env: Environment | null,
  options: { index?: boolean; withUnknown?: boolean; isForScheduler?: boolean } = {},
): Promise<Overview> {
  const { index = true, withUnknown = false, isForScheduler = false } = options;
  const copies = new Copies(paths, { isKept: index });
  const digestPlan = (id: string) => copies.digestMain(id);
  const finder = env && new TraceFinder(paths, env, { isKept: index, isForScheduler, digestPlan });
  // git is asked while files are read.
  let isAsking = true;
  const refreshed = Promise.resolve(finder?.refresh()).finally(() => {
    isAsking = false;
  });
  // Awaited below. A failure before that must not end the process.
  refreshed.catch(() => {});
  const problems: Problem[] = [];
  const remembered = new RememberedPlan(paths, options);
  const running = listRunning(paths);
  const stories: (LocatedStory & { entry: StoryEntry })[] = [];
  for (const [at, home] of listHomes(paths, problems).entries()) {
    // Otherwise git would be started, and its answers read, only after all files.
    if (isAsking && at % BETWEEN_TURNS === 0) await setImmediate();
    const entry = remembered.story(home) ?? (await scanStoryEntry(paths, home));
    const { facts } = entry;
    const isRunning = running.has(home.id);
    const live = isRunning ? await loadLive(paths, home) : {};
    const worktree = home.isInWorktree ? await copies.describe(home) : {};
    stories.push({ facts, home: home.key, running: isRunning, ...live, ...worktree, entry });
    if (entry.problems) problems.push(...entry.problems);
    if (withUnknown && entry.unknown) problems.push(...entry.unknown);
  }
  const epics = remembered.epics() ?? (await scanEpicsEntry(paths));
  if (epics.problems) problems.push(...epics.problems);
  if (withUnknown && epics.unknown) problems.push(...epics.unknown);
  const known = remembered.references();
  const references = known ?? findReferences(paths, stories, epics.epics);
  problems.push(...references.problems);
  if (!known && index) saveRemembered(paths, stories, epics, references);
  if (finder) {
    await refreshed;
    finder.setEpics(epics.epics);
    await finder.compare(stories);
    finder.save();
    copies.save();
  }
  const completed = finder ? stories.map((story) => finder.complete(story)) : stories;
  const troubleOf = (id: string) => finder?.findTrouble(id);
  return deriveOverview({ stories: completed, epics: epics.epics, problems, running, troubleOf });
}

async function loadLive(
  paths: Paths,
  { id }: Home,
): Promise<Pick<LocatedStory, 'session' | 'stalledSince'>> {
  const session = await loadLiveSession(paths, id);
  const stalledSince = session && (await loadStalledSince(paths, session));
  return { session, stalledSince: stalledSince || undefined };
}
