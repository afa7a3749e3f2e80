import type { Advice } from '@saga-ai/types/plan/advice';
import type { DraftFiles } from '../authoring/read-draft.ts';
import { readEpics } from '../plan/epics.ts';
import type { Environment } from '../processes/run.ts';
import type { Paths } from '../project/paths.ts';
import { lintSome } from './lint-plan.ts';
import { loadLinted } from './load-linted.ts';

/**
 * Returns the advice on the stories of a draft. Compares them with the stories of the existing epic that they would
 * join.
 */
export function adviseOnDraft(
  paths: Paths,
  env: Environment,
  { epic, stories, addition }: DraftFiles,
): Advice[] {
  const own = stories.map(({ story }) => story.id);
  const known = readEpics(paths).epics.find(({ id }) => id === (epic?.id ?? addition?.epicId));
  const beside = (known?.children ?? []).filter(({ id }) => !own.includes(id));
  const around = loadLinted(
    paths,
    env,
    beside.map(({ id }) => id),
  );
  const joined =
    known && addition
      ? { ...known, children: [...beside, { id: addition.storyId, blockedBy: addition.blockedBy }] }
      : epic;
  const plan = {
    stories: [...around.stories, ...stories],
    epics: joined ? [joined] : [],
    verify: around.verify,
  };
  return lintSome(plan, own, epic?.id);
}
