import { join } from 'node:path';
import { deriveOverview, type LocatedStory } from '@saga-ai/types/derive-overview';
import type { Epic } from '@saga-ai/types/epic';
import { isId } from '@saga-ai/types/ids';
import type { Overview } from '@saga-ai/types/overview';
import type { Problem } from '@saga-ai/types/problem';
import { displayPath } from '../project/display-path.ts';
import { overviewIndexFile, type Paths, worktreeStoryFolder } from '../project/paths.ts';
import { isThere } from '../project/story-home.ts';
import { checkPlan } from '../rules/check-plan.ts';
import { listArchived } from './archived.ts';

import { listFolder } from './list-folder.ts';
import { findProcessIdentity } from './lock.ts';
import {
  createIndex,
  type EpicsEntry,
  isCurrent,
  loadOverviewIndex,
  type OverviewIndex,
  readStamp,
  type StoryEntry,
  saveOverviewIndex,
} from './overview-index.ts';

/** The only scanner: everything that shows stories reads this. A bad file never hides a good one. */
export async function loadOverview(
  paths: Paths,
  options: { index?: boolean } = {},
): Promise<Overview> {
  const useIndex = options.index ?? true;
  const problems: Problem[] = [];
  const indexFile = overviewIndexFile(paths);
  const before = useIndex ? loadOverviewIndex(indexFile) : createIndex();
  const after = createIndex();
  const running = listRunning(paths);
  const stories: LocatedStory[] = [];
  let scanner: Scanner | undefined;

  for (const { id, home, key } of listHomes(paths, problems)) {
    let entry = before.stories[key];
    if (!entry || !isCurrent(entry, home)) {
      scanner ??= await import('./scan-story.ts');
      entry = scanStoryEntry(scanner, paths, home, id);
    }
    if (entry.stamp !== 0) after.stories[key] = entry;
    // Only a story that is worked on has a session to read.
    const session = running.has(id) ? await loadSession(paths, id) : undefined;
    stories.push({
      facts: entry.facts,
      home: key,
      running: running.has(id),
      ...(session ? { session } : {}),
    });
    if (entry.problems) problems.push(...entry.problems);
  }
  let epics = before.epics;
  if (!epics || !isCurrent(epics, paths.epics)) epics = await scanEpicsEntry(paths);
  if (epics.stamp !== 0) after.epics = epics;
  if (epics.problems) problems.push(...epics.problems);

  const archived = listArchived(paths);
  const same = sameEntries(before, after);
  const isSettled =
    after.epics !== undefined && Object.keys(after.stories).length === stories.length;
  const plan = recallPlan(same && isSettled ? before : after, archived) ?? {
    archived: formatArchived(archived),
    problems: checkReferences(archived, stories, epics.epics),
  };
  // Of a plan in motion nothing is remembered: its next state may carry the same times.
  if (isSettled) after.plan = plan;
  if (useIndex && !(same && before.plan === after.plan)) saveOverviewIndex(indexFile, after);
  problems.push(...plan.problems);
  return deriveOverview({ stories, epics: epics.epics, problems });
}

/** Entries are taken over as they are, so equal means the same objects. */
function sameEntries(before: OverviewIndex, after: OverviewIndex): boolean {
  const keys = Object.keys(after.stories);
  return (
    before.epics === after.epics &&
    keys.length === Object.keys(before.stories).length &&
    keys.every((key) => after.stories[key] === before.stories[key])
  );
}

function recallPlan({ plan }: OverviewIndex, archived: ReadonlySet<string>) {
  return plan?.archived === formatArchived(archived) ? plan : undefined;
}

const formatArchived = (archived: ReadonlySet<string>) => [...archived].sort().join('/');

function checkReferences(
  archived: ReadonlySet<string>,
  stories: LocatedStory[],
  epics: Epic[],
): Problem[] {
  return checkPlan({
    stories: stories.map(({ facts, home }) => ({
      id: facts.id,
      epic: facts.epic,
      file: `${home}/story.json`,
    })),
    epics,
    archived,
    epicFileOf: (id) => `.saga/epics/${id}.json`,
  });
}

/** Reading files takes the schemas with it, so it is loaded only when something changed. */
type Scanner = typeof import('./scan-story.ts');

/** The time is taken first: a file that changes while it is read is not settled, so not trusted. */
function scanStoryEntry(scanner: Scanner, paths: Paths, home: string, id: string): StoryEntry {
  const now = Date.now();
  const scan = scanner.scanStory(paths.root, home, id);
  const { problems, names } = scan;
  const facts = scanner.deriveFacts(id, scan);
  const stamp = readStamp(home, names, now);
  return { facts, ...(problems.length > 0 ? { problems } : {}), names, stamp };
}

async function scanEpicsEntry(paths: Paths): Promise<EpicsEntry> {
  const now = Date.now();
  const { readEpics } = await import('./epics.ts');
  const { epics, problems, names } = readEpics(paths);
  const stamp = readStamp(paths.epics, names, now);
  return { epics, ...(problems.length > 0 ? { problems } : {}), names, stamp };
}

interface Home {
  id: string;
  home: string;
  key: string;
}

/** Every story once, at the copy that counts. */
function listHomes(paths: Paths, problems: Problem[]): Home[] {
  const inMain = listFolder(paths.root, paths.stories, problems);
  const inWorktrees = listFolder(paths.root, paths.worktrees, problems).filter(
    (id) => isId(id) && isThere(worktreeStoryFolder(paths, id)),
  );
  const below = displayPath(paths.root, paths.stories);
  const homes = new Map<string, Home>();
  for (const id of inMain)
    homes.set(id, { id, home: `${paths.stories}/${id}`, key: `${below}/${id}` });
  for (const id of inWorktrees) {
    const home = worktreeStoryFolder(paths, id);
    homes.set(id, { id, home, key: displayPath(paths.root, home) });
  }
  return [...homes.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function loadSession(paths: Paths, id: string) {
  const { findLiveSession } = await import('./session-records.ts');
  return findLiveSession(paths, id);
}

/** Stories with a living worker: its lock says so. */
function listRunning(paths: Paths): Set<string> {
  const running = new Set<string>();
  for (const name of listFolder(paths.root, paths.locks)) {
    const id = /^worker-([^.]+)$/.exec(name)?.[1];
    if (id !== undefined && findProcessIdentity(join(paths.locks, name))) running.add(id);
  }
  return running;
}
