import { deriveOverview, type LocatedStory } from '@saga-ai/types/screens/derive-overview';
import type { Overview } from '@saga-ai/types/screens/overview';
import type { Problem } from '@saga-ai/types/words/problem';
import { listArchived } from '../plan/archived.ts';
import { overviewIndexFile, type Paths } from '../project/paths.ts';
import {
  createIndex,
  isCurrent,
  loadOverviewIndex,
  type OverviewIndex,
  saveOverviewIndex,
} from './overview-index.ts';
import {
  checkReferences,
  listHomes,
  listRunning,
  loadLiveSession,
  loadStalledSince,
  scanEpicsEntry,
  scanStoryEntry,
} from './scan-project.ts';

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

  for (const place of listHomes(paths, problems)) {
    const { id, home, key } = place;
    let entry = before.stories[key];
    if (!entry || !isCurrent(entry, home)) entry = await scanStoryEntry(paths, place);
    if (entry.stamp !== 0) after.stories[key] = entry;
    const session = running.has(id) ? await loadLiveSession(paths, id) : undefined;
    const stalledSince = session && (await loadStalledSince(paths, session));
    stories.push({
      facts: entry.facts,
      home: key,
      running: running.has(id),
      ...(session ? { session } : {}),
      ...(stalledSince ? { stalledSince } : {}),
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

export const formatArchived = (archived: ReadonlySet<string>) => [...archived].sort().join('/');
