import { basename } from 'node:path';
import { loadDrafts } from '@saga-ai/core/drafts/draft-box';
import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import { isThere } from '@saga-ai/core/project/git-files';
import { viewDraft } from '@saga-ai/types/plan/follow-up';
import type { HomeAnswer, StoryFilter } from '@saga-ai/types/screens/dashboard';
import { stateOfEpic } from '@saga-ai/types/screens/story-state';
import { listEpicsToLand } from './epics-to-land.ts';
import { findProblems } from './find-problems.ts';
import { FILTERS } from './list-stories.ts';

/** The most items of each list. The counts hold the full numbers. */
const SHOWN = 20;

export function buildHome(project: LiveProject, hasFleet: boolean): HomeAnswer {
  const { stories, epics } = project.overview;
  const fitting = (filter: StoryFilter) => stories.filter(FILTERS[filter]);
  const [needsYou, interrupted, running] = [
    fitting('needs-you'),
    fitting('interrupted'),
    fitting('running'),
  ];
  const ready = fitting('ready');
  return {
    project: basename(project.paths.root),
    counts: {
      stories: stories.length,
      epics: epics.length,
      needsYou: needsYou.length,
      running: running.length,
      interrupted: interrupted.length,
      inReview: fitting('in-review').length + listEpicsToLand(project).length,
      ready: ready.length,
      waiting: fitting('waiting').length,
      done: fitting('done').length,
      problems: findProblems(project).length,
    },
    needsYou: needsYou.slice(0, SHOWN),
    interrupted: interrupted.slice(0, SHOWN),
    running: running.slice(0, SHOWN),
    ready: ready.slice(0, SHOWN),
    drafts: loadDrafts(project.paths)
      .drafts.filter(({ state }) => state === 'open')
      .slice(0, SHOWN)
      .map(viewDraft),
    epics: epics.toSorted((a, b) => stateOfEpic(a).rank - stateOfEpic(b).rank).slice(0, SHOWN),
    hasFleet,
    lastEvent: project.changes.last,
    isVerified: project.overview.isVerified,
    goneFrom: isThere(project.paths.saga) ? undefined : project.paths.root,
  };
}
