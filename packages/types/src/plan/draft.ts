import * as z from 'zod/mini';
import { Epic, EpicChild } from './epic.ts';
import { Id, TaskId } from './id-schema.ts';
import { deriveFreeId } from './ids.ts';
import { Story } from './story.ts';
import { Task, TaskStatus } from './task.ts';

/** A draft is the input of `saga create`, written by a person or a planning skill. */
export const TaskDraft = z.extend(Task, {
  status: z._default(TaskStatus, 'pending'),
  blockedBy: z._default(z.array(TaskId), []),
});
export type TaskDraft = z.infer<typeof TaskDraft>;

const TaskSubject = z
  .string()
  .check(
    z.minLength(1),
    z.describe(
      'The subject of a task. It is used as the description too. The task waits for the one before it.',
    ),
  );

/** The tasks of a draft. A task may be given as its subject alone. */
const TaskDrafts = z.pipe(
  z.array(z.union([TaskSubject, TaskDraft])),
  z.transform((tasks: (string | TaskDraft)[]) => writeOut(tasks)),
);

export const StoryDraft = z.extend(Story, {
  tasks: z._default(TaskDrafts, []),
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

/** Makes a task of each subject, with an id that no other task has. */
function writeOut(tasks: readonly (string | TaskDraft)[]): TaskDraft[] {
  const taken = new Set(tasks.flatMap((it) => (typeof it === 'string' ? [] : [it.id])));
  const made: TaskDraft[] = [];
  for (const task of tasks) {
    if (typeof task !== 'string') {
      made.push(task);
      continue;
    }
    const id = deriveFreeId(task, 'task', (it) => taken.has(it));
    taken.add(id);
    const blockedBy = made.slice(-1).map((before) => before.id);
    made.push({ id, subject: task, description: task, status: 'pending', blockedBy });
  }
  return made;
}
