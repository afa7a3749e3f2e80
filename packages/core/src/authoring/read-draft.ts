import { EpicDraft, isEpicDraft, StoryDraft, TaskDraft } from '@saga-ai/types/plan/draft';
import type { Epic } from '@saga-ai/types/plan/epic';
import type { Story } from '@saga-ai/types/plan/story';
import type { Task } from '@saga-ai/types/plan/task';
import type { Schema } from '@saga-ai/types/schema';
import { describeIssues } from '@saga-ai/types/words/describe-issue';
import { findNearest } from '@saga-ai/types/words/nearest';
import type { Problem } from '@saga-ai/types/words/problem';
import { checkTasks } from '../plan/check-tasks.ts';

/** The files that a draft becomes; either all of them are written or none. */
export interface DraftFiles {
  epic?: Epic;
  stories: { story: Story; tasks: Task[] }[];
  /** The place of a single story in an existing epic. */
  addition?: { epicId: string; storyId: string; blockedBy: string[] };
}

export type DraftResult = { files: DraftFiles } | { problems: Problem[] };

export function readDraft(input: unknown): DraftResult {
  const isEpic = isEpicDraft(input);
  const misspelt = findMisspelt(input, isEpic);
  const parsed = (isEpic ? EpicDraft : StoryDraft) as Schema<EpicDraft | StoryDraft>;
  const result = parsed.safeParse(input);
  const problems: Problem[] = [
    ...misspelt,
    ...(result.success
      ? []
      : describeIssues(result.error, input).map(({ field, message }) =>
          problemAt(field, field ? `"${field}" ${message}` : `it ${message}`),
        )),
  ];
  if (result.success && !isEpic) problems.push(...checkSiblings(result.data as StoryDraft));
  if (!result.success || problems.length > 0) return { problems };
  const files = isEpic
    ? splitEpic(result.data as EpicDraft)
    : splitStory(result.data as StoryDraft);
  const inside = checkInside(files);
  return inside.length > 0 ? { problems: inside } : { files };
}

/** Reports `blockedBy` without an epic: stories can only wait for siblings in the same epic. */
function checkSiblings({ epic, blockedBy }: StoryDraft): Problem[] {
  if (epic !== undefined || blockedBy.length === 0) return [];
  return [problemAt('blockedBy', '"blockedBy" needs an "epic": it names stories of the same epic')];
}

function splitEpic({ stories, children, ...epic }: EpicDraft): DraftFiles {
  const drafts = stories.map((draft) => ({ ...draft, epic: epic.id }));
  return {
    epic: {
      ...epic,
      children: [...children, ...drafts.map(({ id, blockedBy }) => ({ id, blockedBy }))],
    },
    stories: drafts.flatMap((draft) => splitStory(draft).stories),
  };
}

function splitStory({ tasks, blockedBy, ...story }: StoryDraft): DraftFiles {
  const addition =
    story.epic === undefined ? undefined : { epicId: story.epic, storyId: story.id, blockedBy };
  return { stories: [{ story, tasks }], ...(addition ? { addition } : {}) };
}

function checkInside({ stories }: DraftFiles): Problem[] {
  return stories.flatMap(({ story, tasks }) => {
    const seen = new Set<string>();
    const doubles = tasks.filter(({ id }) => seen.has(id) || !seen.add(id));
    return [
      ...doubles.map(({ id }) => problemAt('tasks', `story ${story.id} has two tasks ${id}`)),
      ...checkTasks(story.id, tasks, (id) => `task ${id}`),
    ];
  });
}

/**
 * Reports unknown fields that are almost a known one, because they are probably typing errors. Other
 * unknown fields are kept.
 */
function findMisspelt(input: unknown, isEpic: boolean): Problem[] {
  const problems: Problem[] = [];
  const look = (value: unknown, path: string, schema: { shape: object }) => {
    if (typeof value !== 'object' || value === null) return;
    const known = Object.keys(schema.shape);
    for (const key of Object.keys(value)) {
      const near = known.includes(key) ? undefined : findNearest(key, known);
      const field = path ? `${path}.${key}` : key;
      if (near)
        problems.push({
          ...problemAt(field, `"${field}" is not a known field`),
          hint: `Did you mean ${near}?`,
        });
    }
  };
  const list = (value: unknown, key: string): unknown[] => {
    const items = (value as Record<string, unknown> | null)?.[key];
    return Array.isArray(items) ? items : [];
  };
  const lookAtStory = (story: unknown, path: string) => {
    look(story, path, StoryDraft);
    list(story, 'tasks').forEach((task, i) => {
      look(task, `${path ? `${path}.` : ''}tasks[${i}]`, TaskDraft);
    });
  };
  if (isEpic) {
    look(input, '', EpicDraft);
    list(input, 'stories').forEach((story, i) => {
      lookAtStory(story, `stories[${i}]`);
    });
  } else lookAtStory(input, '');
  return problems;
}

function problemAt(field: string, message: string): Problem {
  return {
    code: 'invalid-draft',
    message: `The draft is not valid: ${message}.`,
    hint: 'saga schema story-draft and saga schema epic-draft show what is allowed.',
    ...(field ? { field } : {}),
  };
}
