import { isDeepStrictEqual } from 'node:util';
import type { Epic } from '@saga-ai/types/plan/epic';
import type { Story } from '@saga-ai/types/plan/story';
import type { Task } from '@saga-ai/types/plan/task';
import { type Changes, editJson, formatJson } from '../files/json-text.ts';
import type { StagedChange } from '../plan/staging.ts';
import { isWritten } from './plan-draft.ts';

/** A story as it is on disk: the text of each file, by name. */
export interface StoryTexts {
  id: string;
  texts: ReadonlyMap<string, string>;
}

/**
 * Compares a story on disk with what a person made of it, and returns the files that change. Fields
 * that only workers write stay as they are.
 */
export function compareStory(
  before: StoryTexts,
  after: { story: Story; tasks: readonly Task[] },
): StagedChange[] {
  const changes: StagedChange[] = [];
  const add = (name: string, text: string | null, next: string | null) => {
    if (text !== next) changes.push({ story: before.id, name, before: text, after: next });
  };
  const own = before.texts.get('story') ?? '{}';
  add('story', own, editJson(own, findChanges(own, after.story)));
  const tasks = new Map(after.tasks.map((task) => [task.id, task]));
  for (const [name, text] of before.texts) {
    if (name === 'story') continue;
    const task = tasks.get(name);
    add(name, text, task ? editJson(text, findChanges(text, task)) : null);
  }
  for (const task of after.tasks)
    if (!before.texts.has(task.id)) add(task.id, null, formatJson(task));
  return changes;
}

/** The fields that a person changed, added or removed. */
export function findChanges(text: string, after: Story | Task | Epic): Changes {
  const before = JSON.parse(text) as Record<string, unknown>;
  const next = after as Record<string, unknown>;
  const fields = new Set([...Object.keys(before), ...Object.keys(next)]);
  const changed = [...fields].filter(
    (field) => isWritten(field) && !isDeepStrictEqual(before[field], next[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, next[field]]));
}

interface Child {
  id: string;
  blockedBy: readonly string[];
}

/**
 * Puts children into the order of the document. An epic may list stories and other epics mixed, and the
 * document lists them apart: each keeps to the places of its kind, and new ones follow at the end.
 */
export function placeChildren<T extends Child>(
  before: readonly T[],
  stories: readonly T[],
  others: readonly T[],
): T[] {
  const isStory = new Set(stories.map(({ id }) => id));
  const [nextStories, nextOthers] = [[...stories], [...others]];
  const placed = before.flatMap(
    ({ id }) => (isStory.has(id) ? nextStories : nextOthers).shift() ?? [],
  );
  return [...placed, ...nextOthers, ...nextStories];
}
