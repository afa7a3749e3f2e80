import { EpicDraft, isEpicDraft, StoryDraft, TaskDraft } from '@saga-ai/types/plan/draft';
import type { Epic } from '@saga-ai/types/plan/epic';
import type { Story } from '@saga-ai/types/plan/story';
import type { Task } from '@saga-ai/types/plan/task';
import type { Schema } from '@saga-ai/types/schema';
import { describeIssues } from '@saga-ai/types/words/describe-issue';
import { findNearest } from '@saga-ai/types/words/nearest';
import type { Problem } from '@saga-ai/types/words/problem';
import { checkTasks } from '../plan/check-tasks.ts';

/** What a draft turns into: files to write, all of them or none. */
export interface Plantation {
  epic?: Epic;
  stories: { story: Story; tasks: Task[] }[];
  /** A story that joins an epic which exists already. */
  joins?: { epicId: string; storyId: string; blockedBy: string[] };
}

export type DraftResult = { plantation: Plantation } | { problems: Problem[] };

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
  const plantation = isEpic
    ? splitEpic(result.data as EpicDraft)
    : splitStory(result.data as StoryDraft);
  const inside = checkInside(plantation);
  return inside.length > 0 ? { problems: inside } : { plantation };
}

/** Stories wait for each other inside an epic only. */
function checkSiblings({ epic, blockedBy }: StoryDraft): Problem[] {
  if (epic !== undefined || blockedBy.length === 0) return [];
  return [problemAt('blockedBy', '"blockedBy" needs an "epic", whose siblings it names')];
}

function splitEpic({ stories, children, ...epic }: EpicDraft): Plantation {
  const drafts = stories.map((draft) => ({ ...draft, epic: epic.id }));
  return {
    epic: {
      ...epic,
      children: [...children, ...drafts.map(({ id, blockedBy }) => ({ id, blockedBy }))],
    },
    stories: drafts.flatMap((draft) => splitStory(draft).stories),
  };
}

function splitStory({ tasks, blockedBy, ...story }: StoryDraft): Plantation {
  const joins =
    story.epic === undefined ? undefined : { epicId: story.epic, storyId: story.id, blockedBy };
  return { stories: [{ story, tasks }], ...(joins ? { joins } : {}) };
}

function checkInside({ stories }: Plantation): Problem[] {
  return stories.flatMap(({ story, tasks }) => {
    const seen = new Set<string>();
    const doubles = tasks.filter(({ id }) => seen.has(id) || !seen.add(id));
    return [
      ...doubles.map(({ id }) => problemAt('tasks', `story ${story.id} has two tasks ${id}`)),
      ...checkTasks(story.id, tasks, (id) => `task ${id}`),
    ];
  });
}

/** An unknown field is kept, but one that is almost a known one is surely a slip of the finger. */
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
