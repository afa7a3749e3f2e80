import * as z from 'zod/mini';
import { Epic, EpicChild } from './epic.ts';
import { Id, TaskId } from './id-schema.ts';
import { Story } from './story.ts';
import { Task, TaskStatus } from './task.ts';

/** A draft is the input of `saga create`, written by a person or a planning skill. */
export const TaskDraft = z.extend(Task, {
  status: z._default(TaskStatus, 'pending'),
  blockedBy: z._default(z.array(TaskId), []),
});
export type TaskDraft = z.infer<typeof TaskDraft>;

export const StoryDraft = z.extend(Story, {
  tasks: z._default(z.array(TaskDraft), []),
  blockedBy: z._default(z.array(Id), []).check(z.describe('Siblings in its epic.')),
});
export type StoryDraft = z.infer<typeof StoryDraft>;

export const EpicDraft = z.extend(Epic, {
  children: z
    ._default(z.array(EpicChild), [])
    .check(z.describe('Stories or epics that exist already.')),
  stories: z._default(z.array(StoryDraft), []),
});
export type EpicDraft = z.infer<typeof EpicDraft>;

export function isEpicDraft(draft: unknown): boolean {
  return typeof draft === 'object' && draft !== null && ('stories' in draft || 'children' in draft);
}
