import type { Plan } from '../project/plan.ts';

/** One task as the peers know it: all of them track single items with dependencies. */
export interface Item {
  /** From 1 on, in the order of the plan. */
  number: number;
  title: string;
  text: string;
  completed: boolean;
  blockedBy: number[];
  blocks: number[];
}

/**
 * One item for each task, with all its text. What a story waits for is put on its first open task,
 * so that as many items are ready as there are ready stories.
 */
export function deriveItems(plan: Plan): Item[] {
  const items: Item[] = [];
  const lastOf = new Map<string, Item>();
  for (const { story, tasks, waitsFor } of plan.stories) {
    const firstOpen = tasks.findIndex((task) => task.status !== 'completed');
    for (const [t, task] of tasks.entries()) {
      const blockers = t > 0 ? items.slice(-1) : [];
      if (t === firstOpen) blockers.push(...waitsFor.flatMap((id) => lastOf.get(id) ?? []));
      const item: Item = {
        number: items.length + 1,
        title: task.subject,
        text: [task.description, task.guidance, task.doneWhen].join('\n\n'),
        completed: task.status === 'completed',
        blockedBy: blockers.map((blocker) => blocker.number),
        blocks: [],
      };
      for (const blocker of blockers) blocker.blocks.push(item.number);
      items.push(item);
      lastOf.set(story.id, item);
    }
  }
  return items;
}
