import type { Rehearsal } from '@saga-ai/types/plan/task';
import type { Call } from '../conversation.ts';
import type { ToolCall, Turn } from '../turn.ts';
import type { ListedTask } from './task-list.ts';
import { openBlocker, planWork, RESOLVED, type WorkPlace } from './task-work.ts';

export const LIST_TASKS: ToolCall = { tool: 'TaskList', input: {} };

/** Returns the next turn on one task, from the calls since the task was picked from the list. */
export function workOnTask(
  task: ListedTask,
  rehearsal: Rehearsal,
  since: readonly Call[],
  place: WorkPlace,
): Turn {
  const unread = findUnread(since, place);
  if (unread) return { calls: [unread] };
  const made = withoutReading(since);
  const last = made.at(-1);
  if (last && endsWork(last)) {
    return { text: `I leave task ${task.id}. ${resultOf(last)}`, calls: [LIST_TASKS] };
  }
  const next = planTurns(task, rehearsal, made, place)[made.length] ?? { calls: [LIST_TASKS] };
  if (!last?.result?.isError) return next;
  return { ...next, text: `I go on without that. ${resultOf(last)}` };
}

/** One call per turn, so that the number of calls tells which turn is next. */
function planTurns(
  task: ListedTask,
  rehearsal: Rehearsal,
  made: readonly Call[],
  place: WorkPlace,
): Turn[] {
  const start: Turn[] = [
    { calls: [{ tool: 'TaskGet', input: { taskId: task.id } }] },
    { text: `Task ${task.id}: ${task.subject}`, calls: [update(task, 'in_progress')] },
  ];
  const work = [...planWork(rehearsal, place), update(task, 'completed'), LIST_TASKS];
  const workTurns = work.map((call) => ({ calls: [call] }));
  const { blocker } = rehearsal;
  if (!blocker) return [...start, ...workTurns];

  const needsYou: Turn = { text: `Task ${task.id} needs a decision: ${blocker.title}` };
  if (place.journal === undefined) return [...start, needsYou];
  const ask: Turn = { calls: [openBlocker(blocker, place.journal, place.time)] };
  const resolved = made[start.length]?.result?.text.includes(RESOLVED);
  if (resolved) return [...start, ask, ...workTurns];
  return [...start, ask, { calls: [update(task, 'pending')] }, needsYou];
}

function update({ id }: ListedTask, status: string): ToolCall {
  return { tool: 'TaskUpdate', input: { taskId: id, status } };
}

/**
 * After a command that failed or a status that cannot be set, the task stays as it is for the next run or a
 * person. After a denied action the policy continues without it, as a good agent does.
 */
function endsWork({ tool, result }: Call): boolean {
  if (result?.text.startsWith('Task not found')) return true;
  return result?.isError === true && (tool === 'TaskUpdate' || /^Exit code \d/.test(result.text));
}

/** Older clients allow a file to be overwritten only after it was read. */
function findUnread(since: readonly Call[], { tools }: WorkPlace): ToolCall | undefined {
  const last = since.at(-1);
  if (!last || !isUnreadWrite(last) || !tools.includes('Read')) return undefined;
  const path = last.input.file_path;
  const wasRead = since.some((call) => call.tool === 'Read' && call.input.file_path === path);
  return wasRead ? undefined : { tool: 'Read', input: { file_path: path } };
}

function withoutReading(since: readonly Call[]): Call[] {
  return since.filter(
    (call, at) => call.tool !== 'Read' && !(isUnreadWrite(call) && since[at + 1]?.tool === 'Read'),
  );
}

function isUnreadWrite({ tool, result }: Call): boolean {
  return tool === 'Write' && result?.isError === true && /not been read/.test(result.text);
}

function resultOf({ result }: Call): string {
  return result?.text.trim().slice(0, 200) ?? '';
}
