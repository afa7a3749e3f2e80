import type { EpicDraft, StoryDraft, TaskDraft } from '@saga-ai/types/plan/draft';
import { deriveFreeId, deriveId } from '@saga-ai/types/plan/ids';
import type { PlanDraft } from '@saga-ai/types/screens/planning';

export const isEpic = (plan: PlanDraft): plan is EpicDraft => 'stories' in plan;

export const storiesOf = (plan: PlanDraft): StoryDraft[] =>
  isEpic(plan) ? plan.stories : [plan as StoryDraft];

/** Replaces one item of a list. */
export const replaceAt = <T>(list: readonly T[], index: number, item: T): T[] =>
  list.map((it, i) => (i === index ? item : it));

/** Changes a field; a text that is empty removes it. */
export function withField<T extends object>(item: T, field: string, value: unknown): T {
  const { [field]: _, ...rest } = item as Record<string, unknown>;
  const isEmpty =
    value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  return (isEmpty && isOptional(field) ? rest : { ...item, [field]: value }) as T;
}

const REQUIRED = ['id', 'title', 'subject', 'description', 'blockedBy', 'tasks', 'stories'];
const isOptional = (field: string) => !REQUIRED.includes(field);

interface Named {
  id: string;
  blockedBy: string[];
}

/** Gives an item of a list another id, also where others wait for it. */
export function renameId<T extends Named>(list: readonly T[], before: string, after: string): T[] {
  return list.map((it) => ({
    ...it,
    ...(it.id === before ? { id: after } : {}),
    blockedBy: it.blockedBy.map((other) => (other === before ? after : other)),
  }));
}

/**
 * The id that an item should have after its title was changed: ids that were made of a title follow it, others stay. An
 * item that exists on disk keeps its id.
 */
export function followTitle(
  { id, before, after }: { id: string; before: string; after: string },
  otherwise: string,
  isTaken: (id: string) => boolean,
): string {
  const made = deriveId(before);
  const isMade =
    id === made || id.replace(/-\d+$/, '') === made || /^(task|story)(-\d+)?$/.test(id);
  return isMade && after.trim() !== ''
    ? deriveFreeId(after, otherwise, (it) => it !== id && isTaken(it))
    : id;
}

export function createTask(tasks: readonly TaskDraft[]): TaskDraft {
  const id = deriveFreeId('', 'task', (it) => tasks.some((task) => task.id === it));
  const last = tasks.at(-1);
  return { id, subject: '', description: '', status: 'pending', blockedBy: last ? [last.id] : [] };
}

export function createStory(stories: readonly { id: string }[]): StoryDraft {
  const id = deriveFreeId('', 'story', (it) => stories.some((story) => story.id === it));
  return { id, title: '', description: '', blockedBy: [], tasks: [] };
}

/** Removes an item. Its dependents then wait for its own blockers. */
export function removeItem<T extends Named>(list: readonly T[], id: string): T[] {
  const gone = list.find((it) => it.id === id);
  return list
    .filter((it) => it.id !== id)
    .map((it) =>
      it.blockedBy.includes(id)
        ? {
            ...it,
            blockedBy: unique(
              it.blockedBy.flatMap((other) => (other === id ? (gone?.blockedBy ?? []) : [other])),
            ),
          }
        : it,
    );
}

const unique = (ids: readonly string[]) => [...new Set(ids)];
