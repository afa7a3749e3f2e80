import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  deriveOverview,
  type Epic,
  isId,
  type LocatedStory,
  type Overview,
  type Problem,
} from '@saga-ai/types';
import {
  mainStoryFolder,
  overviewIndexFile,
  type Paths,
  worktreeStoryFolder,
} from '../project/paths.ts';
import { checkPlan } from '../rules/check-plan.ts';
import { listArchived } from './archived.ts';
import { readEpics } from './epics.ts';
import { displayPath } from './json-file.ts';
import { listFolder } from './list-folder.ts';
import { findLockOwner } from './lock.ts';
import {
  type IndexEntry,
  isCurrent,
  isSettled,
  loadOverviewIndex,
  type OverviewIndex,
  readStamps,
  saveOverviewIndex,
} from './overview-index.ts';
import { deriveFacts, scanStory } from './scan-story.ts';

/** The only scanner: everything that shows stories reads this. A bad file never hides a good one. */
export function loadOverview(paths: Paths, options: { index?: boolean } = {}): Overview {
  const useIndex = options.index ?? true;
  const problems: Problem[] = [];
  const remembered = useIndex ? loadOverviewIndex(overviewIndexFile(paths)) : new Map();
  const next: OverviewIndex = new Map();
  const running = listRunning(paths);
  const stories: LocatedStory[] = [];
  let changed = false;

  for (const { id, home, key } of listHomes(paths, problems)) {
    let entry = remembered.get(key);
    if (!entry || !isCurrent(entry, home)) {
      entry = scanEntry(paths, home, id);
      changed = true;
    }
    if (entry.stamps.length > 0) next.set(key, entry);
    stories.push({ facts: entry.facts, home: key, running: running.has(id) });
    problems.push(...entry.problems);
  }
  if (useIndex && (changed || next.size !== remembered.size)) {
    saveOverviewIndex(overviewIndexFile(paths), next);
  }
  const epics = readEpics(paths);
  problems.push(...epics.problems);
  problems.push(...checkReferences(paths, stories, epics.epics));
  return deriveOverview({ stories, epics: epics.epics, problems });
}

function checkReferences(paths: Paths, stories: LocatedStory[], epics: Epic[]): Problem[] {
  return checkPlan({
    stories: stories.map(({ facts, home }) => ({
      id: facts.id,
      epic: facts.epic,
      file: `${home}/story.json`,
    })),
    epics,
    archived: listArchived(paths),
    epicFileOf: (id) => `.saga/epics/${id}.json`,
  });
}

/** A file that changes while it is read is not settled by the time of `before`, so never trusted. */
function scanEntry(paths: Paths, home: string, id: string): IndexEntry {
  const before = Date.now();
  const { problems, names, ...scan } = scanStory(paths.root, home, id);
  const facts = deriveFacts(id, { problems, names, ...scan });
  const stamps = readStamps(home, names) ?? [];
  return { facts, problems, names, stamps: isSettled(stamps, before) ? stamps : [] };
}

interface Home {
  id: string;
  home: string;
  key: string;
}

/** Every story once, at the copy that counts. */
function listHomes(paths: Paths, problems: Problem[]): Home[] {
  const inWorktrees = new Set(
    listFolder(paths.root, paths.worktrees, problems).filter(
      (id) => isId(id) && statSync(worktreeStoryFolder(paths, id), { throwIfNoEntry: false }),
    ),
  );
  const ids = new Set([...listFolder(paths.root, paths.stories, problems), ...inWorktrees]);
  return [...ids].sort().map((id) => {
    const home = inWorktrees.has(id) ? worktreeStoryFolder(paths, id) : mainStoryFolder(paths, id);
    return { id, home, key: displayPath(paths.root, home) };
  });
}

/** Stories with a living worker: its lock says so. */
function listRunning(paths: Paths): Set<string> {
  const running = new Set<string>();
  for (const name of listFolder(paths.root, paths.locks)) {
    const id = /^worker-([^.]+)$/.exec(name)?.[1];
    if (id !== undefined && findLockOwner(join(paths.locks, name))) running.add(id);
  }
  return running;
}
