import type { LiveOverview } from '@saga-ai/core/overview/live/live-overview';
import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import { findHome } from '@saga-ai/core/overview/scan-project';
import { notFound } from '@saga-ai/core/plan/not-found';
import { scanStory } from '@saga-ai/core/plan/scan-story';
import { findOpenBlockers, parseJournal } from '@saga-ai/types/plan/journal';
import type { StoryAnswer, WaitedFor } from '@saga-ai/types/screens/dashboard';
import type { Problem } from '@saga-ai/types/words/problem';
import type { DiffSummaries } from './diff-summary.ts';

/** The number of sessions shown with a story. The sessions page shows all of them. */
const SESSIONS = 50;

/** Returns a story with everything in its folder. For a broken story, returns what can be read. */
export async function buildStory(
  project: LiveProject,
  diffs: DiffSummaries,
  id: string,
): Promise<StoryAnswer> {
  const { paths, overview, sessions } = project;
  const view = overview.story(id);
  const home = view && findHome(paths, id);
  if (!view || !home) throw notFound(paths, id);
  const scan = scanStory(paths.root, home.home, id);
  const journal = parseJournal(scan.journal ?? '').entries;
  return {
    view,
    story: scan.story ?? { id, title: view.title, description: '' },
    tasks: scan.tasks,
    journal,
    openBlockers: findOpenBlockers(journal),
    evidence: scan.evidence ?? null,
    sessions: sessions
      .list(id)
      .slice(0, SESSIONS)
      .flatMap((name) => sessions.find(name) ?? []),
    waitsFor: view.blockedBy.map((other) => describeWaitedFor(overview, other)),
    diff: await diffs.find(view),
    problems: [...scan.problems, ...findOthers(overview.problems, scan.problems, id)],
  };
}

function describeWaitedFor(overview: LiveOverview, id: string): WaitedFor {
  const story = overview.story(id);
  if (story) return { id, title: story.title, kind: 'story' };
  const epic = overview.epic(id);
  return epic ? { id, title: epic.title, kind: 'epic' } : { id, title: id };
}

/** Problems between this story and other items. */
function findOthers(all: readonly Problem[], own: readonly Problem[], id: string): Problem[] {
  const known = new Set(own.map((it) => it.message));
  return all.filter((it) => it.story === id && !known.has(it.message));
}
