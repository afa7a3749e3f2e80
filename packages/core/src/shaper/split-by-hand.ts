import { buildSplitSchema, replaceTask } from '@saga-ai/types/plan/replace-task';
import type { Task } from '@saga-ai/types/plan/task';
import { loadAsDraft } from '../authoring/as-markdown.ts';
import { compareStory } from '../authoring/compare-plans.ts';
import { type KeepRemoved, placeEdit } from '../authoring/place-edit.ts';
import { readTexts } from '../authoring/stage-edit.ts';
import { SagaError } from '../errors.ts';
import { toError } from '../files/json-file.ts';
import { loadConfig } from '../plan/config.ts';
import { notFoundTask } from '../plan/not-found.ts';
import type { StagedFiles } from '../plan/staging.ts';
import { type LoadedStory, loadStory } from '../plan/stories.ts';
import { requireIdle } from '../plan/story-lock.ts';
import { writePlan } from '../plan-text/write-plan.ts';
import type { Paths } from '../project/paths.ts';
import { findStoryWorktree } from '../project/story-worktrees.ts';
import { buildShaperPrompt } from '../worker/decide/shaper-prompt.ts';
import type { ShaperSetup } from './ask-shaper.ts';
import { type Agreed, converse, type Judged } from './converse.ts';

export interface SplitRequest extends ShaperSetup {
  storyId: string;
  taskId: string;
  /** What the person says about how to split it; may be empty. */
  wish: string;
}

/** A split of a task that is not written yet. */
export interface Split {
  storyId: string;
  taskId: string;
  /** The ids of the tasks that take its place. */
  parts: string[];
  /** The story as Markdown. */
  before: string;
  after: string;
  staged: StagedFiles;
}

/** Lets the agent split a task, by the rule of a worker. Writes nothing to the plan. */
export async function splitByHand(request: SplitRequest): Promise<Agreed<Split>> {
  const { paths, env, storyId, taskId, wish } = request;
  const loaded = requireSplittable(paths, storyId, taskId);
  const { story, tasks } = loaded;
  const { config } = loadConfig(paths, { environment: env });
  return converse<Split>(request, {
    schema: buildSplitSchema(),
    // If runs have worked on the task, their work is in this folder.
    folder: findStoryWorktree(paths, storyId)?.folder ?? paths.root,
    prompt: buildShaperPrompt({
      ...{ story, why: 'asked', changes: '', wish, ceiling: config.ceiling },
      task: requireTask(loaded, taskId),
      others: tasks.filter((it) => it.id !== taskId),
    }),
    judge: async (answer) => judge(request, config.ceiling, answer),
  });
}

/** Makes the changes of a split, together. */
export async function applySplit(paths: Paths, split: Split, keep: KeepRemoved): Promise<void> {
  const { storyId, taskId, staged } = split;
  await placeEdit(paths, [storyId], keep, async () => {
    requireSplittable(paths, storyId, taskId);
    const texts = readTexts(paths, storyId).texts;
    const isSame = (staged.changes ?? []).every(
      ({ name, before }) => (texts.get(name) ?? null) === before,
    );
    if (isSame) return staged;
    throw new SagaError(
      'edit-refused',
      `Story ${storyId} was changed while you decided. Nothing was changed.`,
      `Ask again: saga plan --split ${storyId}/${taskId}`,
    );
  });
}

/** Throws if the task cannot be split now. */
function requireSplittable(paths: Paths, storyId: string, taskId: string): LoadedStory {
  requireIdle(paths, storyId);
  const loaded = loadStory(paths, storyId);
  // A task that cannot be read would count as removed.
  if (loaded.problems.length > 0) throw toError(loaded.problems);
  const task = requireTask(loaded, taskId);
  if (task.status !== 'completed') return loaded;
  throw new SagaError(
    'edit-refused',
    `Task ${storyId}/${taskId} is completed, so there is nothing to split.`,
    `saga show ${storyId} lists the tasks that are open.`,
  );
}

function requireTask({ story, tasks }: LoadedStory, taskId: string): Task {
  const task = tasks.find(({ id }) => id === taskId);
  if (task) return task;
  const ids = tasks.map(({ id }) => id);
  throw notFoundTask(story.id, taskId, ids);
}

function judge(
  { paths, storyId, taskId }: SplitRequest,
  ceiling: { files: number; lines: number },
  answer: unknown,
): Judged<Split> {
  const loaded = loadStory(paths, storyId);
  const { story, tasks } = loaded;
  const replaced = replaceTask(tasks, taskId, answer, ceiling);
  if ('fault' in replaced) {
    const message = `The answer does not hold: ${replaced.fault}.`;
    const hint = 'Answer with smaller tasks that together do what the task asks for.';
    return { problems: [{ code: 'invalid-draft', message, hint }], advice: [] };
  }
  const changes = compareStory(readTexts(paths, storyId), { story, tasks: replaced.tasks });
  const show = (shown: Task[]) =>
    writePlan(loadAsDraft(paths, { kind: 'story', ...loaded, tasks: shown }));
  return {
    value: {
      ...{ storyId, taskId, parts: replaced.parts },
      ...{ before: show(tasks), after: show(replaced.tasks) },
      staged: { stories: [], epics: new Map(), changes },
    },
    ...{ problems: [], advice: [] },
  };
}
