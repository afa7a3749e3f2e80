import { EpicDraft, StoryDraft } from '@saga-ai/types/plan/draft';
import type { Epic } from '@saga-ai/types/plan/epic';
import type { Story } from '@saga-ai/types/plan/story';
import type { Task } from '@saga-ai/types/plan/task';
import { PLACE_FIELDS, STANDING_FIELDS } from '@saga-ai/types/plan/task-definition';
import type { Item } from '../plan/resolve.ts';

/** Fields that only workers write. The status of a task is nevertheless shown. */
const KEPT_BY_WORKERS = [
  ...STANDING_FIELDS.filter((it) => it !== 'status'),
  ...PLACE_FIELDS,
  '$schema',
];

const without = <T extends object>(item: T, fields: readonly string[]): T =>
  Object.fromEntries(Object.entries(item).filter(([key]) => !fields.includes(key))) as T;

/** Whether a field is written by people, and so a part of a plan as Markdown. */
export const isWritten = (field: string): boolean => !KEPT_BY_WORKERS.includes(field);

/** A story of the plan as the draft that would create it. */
export function toStoryDraft(
  story: Story,
  tasks: readonly Task[],
  blockedBy: readonly string[],
): StoryDraft {
  return StoryDraft.parse({
    ...without(story, KEPT_BY_WORKERS),
    blockedBy,
    tasks: tasks.map((task) => without(task, KEPT_BY_WORKERS)),
  });
}

/** An epic of the plan as a draft: the stories that were loaded inside, other children by id. */
export function toEpicDraft(
  epic: Epic,
  loaded: readonly Extract<Item, { kind: 'story' }>[],
): EpicDraft {
  const storyOf = new Map(loaded.map((it) => [it.story.id, it]));
  return EpicDraft.parse({
    ...without(epic, KEPT_BY_WORKERS),
    children: epic.children.filter(({ id }) => !storyOf.has(id)),
    stories: epic.children.flatMap(({ id, blockedBy }) => {
      const it = storyOf.get(id);
      return it ? [without(toStoryDraft(it.story, it.tasks, blockedBy), ['epic'])] : [];
    }),
  });
}
