import { isId } from '@saga-ai/types/plan/ids';
import { listFolder } from '../files/list-folder.ts';
import { loadConfigOrDefaults } from '../plan/config.ts';
import { readEpics } from '../plan/epics.ts';
import { scanStory } from '../plan/scan-story.ts';
import type { Environment } from '../processes/run.ts';
import type { Paths } from '../project/paths.ts';
import { findStoryHome } from '../project/story-home.ts';
import type { LintedPlan } from './linted-plan.ts';

/**
 * Loads what the rules read: all stories, or some. Stories that cannot be read are left out; `saga check` names them.
 */
export function loadLinted(
  paths: Paths,
  env: Environment,
  ids: readonly string[] = listFolder(paths.root, paths.stories),
): LintedPlan {
  const { gate } = loadConfigOrDefaults(paths, { environment: env });
  const stories = ids.flatMap((id) => {
    const home = isId(id) ? findStoryHome(paths, id) : undefined;
    if (home === undefined) return [];
    const { story, tasks } = scanStory(paths.root, home, id);
    return story ? [{ story, tasks }] : [];
  });
  return { stories, epics: readEpics(paths).epics, verify: gate.verify };
}

/** Loads the stories that were just created, and their siblings. */
export function loadCreated(
  paths: Paths,
  env: Environment,
  created: readonly string[],
): LintedPlan {
  const { epics } = readEpics(paths);
  const own = new Set(created);
  const around = epics.filter(({ children }) => children.some(({ id }) => own.has(id)));
  const ids = new Set([...created, ...around.flatMap((it) => it.children.map(({ id }) => id))]);
  return { ...loadLinted(paths, env, [...ids]), epics: around };
}
