import { existsSync } from 'node:fs';
import type { EpicDraft, StoryDraft } from '@saga-ai/types/plan/draft';
import { orderTopologically } from '@saga-ai/types/plan/graph';
import type { Problem } from '@saga-ai/types/words/problem';
import { readEpics } from '../plan/epics.ts';
import { type Item, loadItem } from '../plan/resolve.ts';
import { loadStory } from '../plan/stories.ts';
import { epicFile, type Paths } from '../project/paths.ts';
import { toEpicDraft, toStoryDraft } from './plan-draft.ts';

/**
 * Loads a story with its tasks, or an epic with its stories, as Markdown. Also returns the parts that cannot be read.
 */
export async function loadAsMarkdown(
  paths: Paths,
  id: string,
): Promise<{ markdown: string; problems: Problem[] }> {
  // Loaded only here: other commands need no Markdown.
  const { writePlan } = await import('../plan-text/write-plan.ts');
  const item = loadItem(paths, id);
  return { markdown: writePlan(loadAsDraft(paths, item)), problems: findUnread(paths, item) };
}

/** Returns the problems of the stories in a document. The document lacks each task that cannot be read. */
export function findUnread(paths: Paths, item: Item): Problem[] {
  if (item.kind === 'story') return item.problems;
  return item.epic.children
    .filter(({ id }) => !existsSync(epicFile(paths, id)))
    .flatMap(({ id }) => loadStory(paths, id).problems);
}

/** The draft that would create an item again. Throws if a story of an epic cannot be read. */
export function loadAsDraft(paths: Paths, item: Item): EpicDraft | StoryDraft {
  if (item.kind === 'epic') {
    const stories = item.epic.children
      .filter(({ id }) => !existsSync(epicFile(paths, id)))
      .map(({ id }) => ({ kind: 'story' as const, ...inOrder(loadStory(paths, id)) }));
    return toEpicDraft(item.epic, stories);
  }
  const { story, tasks } = inOrder(item);
  const epic = readEpics(paths).epics.find(({ id }) => id === story.epic);
  const child = epic?.children.find(({ id }) => id === story.id);
  return toStoryDraft(story, tasks, child?.blockedBy ?? []);
}

/** Tasks are files without an order; they are shown in the order in which they can be done. */
function inOrder<T extends { tasks: { id: string; blockedBy: string[] }[] }>(item: T): T {
  const { ordered, unordered } = orderTopologically(item.tasks);
  return { ...item, tasks: [...ordered, ...unordered] };
}
