import { EpicDraft, isEpicDraft, StoryDraft } from '@saga-ai/types/plan/draft';
import type { Epic } from '@saga-ai/types/plan/epic';
import type { Story } from '@saga-ai/types/plan/story';
import type { Task } from '@saga-ai/types/plan/task';
import { findUnknownFields, type PlanKind } from '@saga-ai/types/plan/unknown-fields';
import type { Schema } from '@saga-ai/types/schema';
import { describeIssues } from '@saga-ai/types/words/describe-issue';
import type { Problem } from '@saga-ai/types/words/problem';
import { checkTasks } from '../plan/check-tasks.ts';

/** The files that a draft becomes; either all of them are written or none. */
export interface DraftFiles {
  epic?: Epic;
  stories: { story: Story; tasks: Task[] }[];
  /** The place of a single story in an existing epic. */
  addition?: { epicId: string; storyId: string; blockedBy: string[] };
}

export type DraftResult = { files: DraftFiles; unknown: Problem[] } | { problems: Problem[] };

export function readDraft(input: unknown): DraftResult {
  const isEpic = isEpicDraft(input);
  const unknown = findUnknown(input, isEpic);
  const parsed = (isEpic ? EpicDraft : StoryDraft) as Schema<EpicDraft | StoryDraft>;
  const result = parsed.safeParse(input);
  const problems: Problem[] = [
    ...unknown.flatMap(({ field, advice, isSlip }) =>
      isSlip ? [{ ...problemAt(field, `"${field}" is not a known field`), hint: advice }] : [],
    ),
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
  return inside.length > 0
    ? { problems: inside }
    : { files, unknown: unknown.map(({ field, advice }) => describeKept(field, advice)) };
}

/**
 * Describes a field that SAGA does not know. It stays in the file and is reported, because it may be the user's own or
 * a mistake.
 */
function describeKept(field: string, hint: string): Problem {
  const message = `"${field}" is not a known field: it is kept, and has no effect.`;
  return { code: 'unknown-field', message, hint, field };
}

/** Reports `blockedBy` without an epic: stories can only wait for siblings in the same epic. */
function checkSiblings({ epic, blockedBy }: StoryDraft): Problem[] {
  if (epic !== undefined || blockedBy.length === 0) return [];
  return [problemAt('blockedBy', '"blockedBy" needs an "epic": it names stories of the same epic')];
}

function splitEpic({ stories, children, $schema: _, ...epic }: EpicDraft): DraftFiles {
  const drafts = stories.map((draft) => ({ ...draft, epic: epic.id }));
  return {
    epic: {
      ...epic,
      children: [...children, ...drafts.map(({ id, blockedBy }) => ({ id, blockedBy }))],
    },
    stories: drafts.flatMap((draft) => splitStory(draft).stories),
  };
}

function splitStory({ tasks: drafts, blockedBy, $schema: _, ...story }: StoryDraft): DraftFiles {
  const tasks = drafts.map(({ $schema: _, ...task }) => task);
  const addition =
    story.epic === undefined ? undefined : { epicId: story.epic, storyId: story.id, blockedBy };
  return { stories: [{ story, tasks }], addition };
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

/** An unknown field of a draft. */
interface Unknown {
  field: string;
  advice: string;
  /** True if the field is probably a misspelt known one. Then nothing is created. */
  isSlip: boolean;
}

function findUnknown(input: unknown, isEpic: boolean): Unknown[] {
  const found: Unknown[] = [];
  const look = (value: unknown, path: string, kind: PlanKind) => {
    if (typeof value !== 'object' || value === null) return;
    for (const { field, meant, advice } of findUnknownFields(value, kind)) {
      const isSlip = meant !== undefined || field.toLowerCase() === 'status';
      found.push({ field: path ? `${path}.${field}` : field, advice, isSlip });
    }
  };
  const list = (value: unknown, key: string): unknown[] => {
    const items = (value as Record<string, unknown> | null)?.[key];
    return Array.isArray(items) ? items : [];
  };
  const lookAtStory = (story: unknown, path: string) => {
    look(story, path, 'story draft');
    list(story, 'tasks').forEach((task, i) => {
      look(task, `${path ? `${path}.` : ''}tasks[${i}]`, 'task draft');
    });
  };
  if (!isEpic) {
    lookAtStory(input, '');
    return found;
  }
  look(input, '', 'epic draft');
  list(input, 'children').forEach((child, i) => {
    look(child, `children[${i}]`, 'child');
  });
  list(input, 'stories').forEach((story, i) => {
    lookAtStory(story, `stories[${i}]`);
  });
  return found;
}

function problemAt(field: string, message: string): Problem {
  return {
    code: 'invalid-draft',
    message: `The draft is not valid: ${message}.`,
    hint: 'saga schema story-draft and saga schema epic-draft show what is allowed.',
    field: field || undefined,
  };
}
