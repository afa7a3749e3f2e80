import { join } from 'node:path';
import type { Problem } from '@saga-ai/types/words/problem';
import { toError } from '../files/json-file.ts';
import { loadItem } from '../plan/resolve.ts';
import { type PlanChange, placeTogether, type StagedFiles } from '../plan/staging.ts';
import { requireIdle, withProjectLock, withStoryLock } from '../plan/story-lock.ts';
import type { Paths } from '../project/paths.ts';
import { findStoryHome } from '../project/story-home.ts';
import { findUnread, loadAsDraft } from './as-markdown.ts';
import { requireFits } from './create.ts';
import { editText } from './edit-text.ts';
import { readDraft } from './read-draft.ts';
import { stageEdit } from './stage-edit.ts';
import { createPlanLanguage } from './write-draft.ts';

export interface EditedPlan {
  changed: boolean;
  /** What changed, one line for each file. */
  files: string[];
  /** Tasks that were removed: where each was, and its path in a story's folder. */
  removed: { from: string; path: string }[];
  /** Stories that are new. */
  created: string[];
  /** All stories of the document. */
  stories: string[];
  problems: Problem[];
}

/** Keeps files that an edit removes, before it removes them. */
export type KeepRemoved = (removed: EditedPlan['removed']) => Promise<void>;

/** What an edit can make of the plan. */
interface Outcome {
  staged: StagedFiles;
  unknown: Problem[];
}

/**
 * Lets a person edit a story with its tasks, or an epic with its stories, as one Markdown document. All
 * files change together or none does. `keep` is told the files that will be removed, before they are.
 */
export async function editPlan(
  paths: Paths,
  id: string,
  editor: () => string,
  keep: KeepRemoved,
): Promise<EditedPlan> {
  // Loaded only here: other commands need no Markdown.
  const { writePlan } = await import('../plan-text/write-plan.ts');
  const item = loadItem(paths, id);
  // What cannot be read is missing in the document, and would be taken for removed.
  const unread = findUnread(paths, item);
  if (unread.length > 0) throw toError(unread);
  const draft = loadAsDraft(paths, item);
  const stories =
    'stories' in draft ? (draft.stories as { id: string }[]).map((it) => it.id) : [id];
  for (const story of stories) requireIdle(paths, story);
  const before = { name: `${id}.md`, text: writePlan(draft) };
  const language = createPlanLanguage('Not saved', async ({ input, locate }) => {
    const result = readDraft(input);
    if ('problems' in result) throw toError(result.problems.map(locate));
    const outcome = {
      staged: stageEdit(paths, item, result.files, stories),
      unknown: result.unknown,
    };
    await requireFits(paths, outcome.staged);
    return outcome;
  });
  const edited = await editText<Outcome>(before, language, editor());
  if (!edited)
    return { changed: false, files: [], removed: [], created: [], stories: [], problems: [] };

  await placeEdit(paths, stories, keep, async () => {
    // The files may have changed while the editor was open.
    edited.requireUnchanged(writePlan(loadAsDraft(paths, loadItem(paths, id))));
    return edited.value.staged;
  });
  edited.discard();
  return describeEdited(paths, edited.value, stories);
}

/**
 * Makes the changes that `stage` returns, while nobody else changes the plan or the stories, and no worker is at one
 * of the stories.
 */
export async function placeEdit(
  paths: Paths,
  stories: readonly string[],
  keep: KeepRemoved,
  stage: () => Promise<StagedFiles>,
): Promise<void> {
  const save = async () => {
    const staged = await stage();
    for (const story of stories) requireIdle(paths, story);
    await keep(listRemoved(paths, staged.changes ?? []));
    placeTogether(paths, staged);
  };
  await withProjectLock(paths, () => lockAll(paths, stories.toSorted(), save));
}

async function lockAll(
  paths: Paths,
  ids: readonly string[],
  act: () => Promise<void>,
): Promise<void> {
  const [first, ...rest] = ids;
  if (first === undefined) return act();
  await withStoryLock(paths, first, () => lockAll(paths, rest, act));
}

function listRemoved(paths: Paths, changes: readonly PlanChange[]): EditedPlan['removed'] {
  return changes.flatMap(({ story, name, before, after }) => {
    const path = `${story}/${name}.json`;
    const from = join(findStoryHome(paths, story) ?? '', `${name}.json`);
    return after === null && before !== null ? [{ from, path }] : [];
  });
}

function describeEdited(
  paths: Paths,
  { staged, unknown }: Outcome,
  known: readonly string[],
): EditedPlan {
  const changes = staged.changes ?? [];
  return {
    changed: true,
    files: describeStaged(staged),
    removed: listRemoved(paths, changes),
    created: staged.stories.map(({ story }) => story.id),
    stories: [...known, ...staged.stories.map(({ story }) => story.id)],
    problems: unknown,
  };
}

/** What changes, one line for each file. */
export function describeStaged({ epics, changes = [] }: StagedFiles): string[] {
  return [
    ...[...epics.keys()].map((id) => `epic ${id}`),
    ...changes.map(({ story, name, before, after }) => {
      const what = after === null ? 'removed' : before === null ? 'new' : 'changed';
      return name === 'story' ? `story ${story}: ${what}` : `task ${story}/${name}: ${what}`;
    }),
  ];
}
