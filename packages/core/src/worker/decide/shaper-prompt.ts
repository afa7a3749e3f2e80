import type { Ceiling } from '@saga-ai/types/plan/replace-task';
import type { Story } from '@saga-ai/types/plan/story';
import type { Task } from '@saga-ai/types/plan/task';
import type { TooLarge } from './find-too-large.ts';

export interface ShaperRequest {
  story: Pick<Story, 'title' | 'description'>;
  task: Task;
  /** Why a worker finds the task too large, or `asked` if a person wants it split. */
  why: TooLarge['why'] | 'asked';
  /** What the person says about the split. */
  wish?: string;
  others: readonly Pick<Task, 'id' | 'subject'>[];
  /** What runs changed for the task so far, as git tells it. */
  changes: string;
  ceiling: Ceiling;
}

const REASONS: Readonly<Record<ShaperRequest['why'], string>> = {
  stalled: 'a run hung while it worked on it',
  tried: 'two runs could not complete it',
  grown: 'a run changed very much and could not complete it',
  asked: 'a person wants it split',
};

/** Builds the prompt of a run that splits a task. What others wrote is quoted. */
export function buildShaperPrompt(request: ShaperRequest): string {
  const { story, task, why, wish = '', others, changes, ceiling } = request;
  const { id, subject, description, guidance, doneWhen } = task;
  return [
    `You are the Shaper of a plan. You write no code. The task "${id}" is too large: ${REASONS[why]}. Split it into smaller tasks that take its place.`,
    `The story: ${oneLine(story.title)}\n${quote(story.description ?? '')}`,
    `The task ${id}: ${oneLine(subject)}\n${quote([description, guidance, doneWhen].filter(Boolean).join('\n'))}`,
    ...(wish === '' ? [] : [`What the person says about it:\n${quote(wish)}`]),
    `The other tasks of the story, which stay as they are: ${others.map((it) => `${it.id} (${oneLine(it.subject)})`).join(', ') || 'none'}.`,
    ...(changes === '' ? [] : [`What is changed already, and stays:\n${quote(changes)}`]),
    `Look at the code first. Then answer with at least two tasks. Together they do everything that ${id} asked for and nothing else. Each changes at most ${ceiling.files} files and ${ceiling.lines} lines, can be completed by itself, and says how to see that it is done. Ids are new, in lower case with hyphens. "blockedBy" names only tasks of your answer.`,
  ].join('\n\n');
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
const quote = (text: string) => text.trim().replace(/^/gm, '> ');
