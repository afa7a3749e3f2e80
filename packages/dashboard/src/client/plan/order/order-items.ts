import type { StoryDraft } from '@saga-ai/types/plan/draft';
import type { PlanDraft } from '@saga-ai/types/screens/planning';
import { isEpic } from '../edit-draft.ts';

/** A node whose dependencies can be changed: a story or a child of an epic, or a task of a story. */
export interface OrderItem {
  id: string;
  title: string;
  detail: string;
  blockedBy: readonly string[];
}

export function listOrderItems(plan: PlanDraft): OrderItem[] {
  if (isEpic(plan)) {
    return [
      ...plan.stories.map(({ id, title, blockedBy, tasks }) => ({
        ...{ id, title: title || id, blockedBy },
        detail: tasks.length === 1 ? '1 task' : `${tasks.length} tasks`,
      })),
      ...plan.children.map(({ id, blockedBy }) => ({ id, title: id, detail: 'epic', blockedBy })),
    ];
  }
  return (plan as StoryDraft).tasks.map(({ id, subject, blockedBy }) => ({
    ...{ id, title: subject || id, detail: id, blockedBy },
  }));
}

/** Changes what one item waits for. */
export function setBlockedBy(plan: PlanDraft, id: string, blockedBy: string[]): PlanDraft {
  const set = <T extends { id: string }>(list: readonly T[]): T[] =>
    list.map((it) => (it.id === id ? { ...it, blockedBy } : it));
  if (isEpic(plan)) {
    return { ...plan, stories: set(plan.stories), children: set(plan.children) };
  }
  return { ...plan, tasks: set((plan as StoryDraft).tasks) } as StoryDraft;
}
