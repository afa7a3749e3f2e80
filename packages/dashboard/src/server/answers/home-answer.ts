import { basename } from 'node:path';
import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import type { HomeAnswer } from '@saga-ai/types/screens/dashboard';
import { stateOfEpic } from '@saga-ai/types/screens/story-state';
import { findProblems } from './find-problems.ts';
import { FILTERS } from './list-stories.ts';

/** The largest number of items of each list. The counts hold the full numbers. */
const SHOWN = 100;

export function buildHome(project: LiveProject): HomeAnswer {
  const { stories, epics } = project.overview;
  const needsYou = stories.filter(FILTERS['needs-you']);
  const running = stories.filter(FILTERS.running);
  const ready = stories.filter(FILTERS.ready);
  return {
    project: basename(project.paths.root),
    counts: {
      stories: stories.length,
      epics: epics.length,
      needsYou: needsYou.length,
      running: running.length,
      ready: ready.length,
      done: stories.filter(FILTERS.done).length,
      problems: findProblems(project).length,
    },
    needsYou: needsYou.slice(0, SHOWN),
    running: running.slice(0, SHOWN),
    ready: ready.slice(0, SHOWN),
    epics: epics.toSorted((a, b) => stateOfEpic(a).rank - stateOfEpic(b).rank).slice(0, SHOWN),
    lastEvent: project.changes.last,
    isVerified: project.overview.isVerified,
  };
}
