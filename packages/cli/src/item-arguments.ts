import type { ArgumentSpec } from './command.ts';

/** Arguments that name a story, an epic, or a task as `story task` or `story/task`. */
export const ITEM_ARGUMENTS: readonly ArgumentSpec[] = [
  {
    name: 'id',
    help: 'a story or an epic; story/task for a task',
    required: true,
    complete: 'item',
  },
  { name: 'task', help: 'one task of the story', complete: 'task' },
];

export function readItemArguments(args: readonly string[]): { id: string; taskId?: string } {
  const [id = '', afterSlash] = (args[0] ?? '').split('/');
  const taskId = args[1] ?? afterSlash;
  return taskId === undefined ? { id } : { id, taskId };
}
