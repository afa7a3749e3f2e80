import { findUnmet, type Membership } from '@saga-ai/types/plan/graph';
import type { ClaudeTask } from './claude-task.ts';

/** How a task stands, in the words people use: finer than the status the client stores. */
export const TASK_STATES = [
  'ready',
  'in_progress',
  'done',
  'blocked',
  'failed',
  'escalated',
] as const;
export type TaskState = (typeof TASK_STATES)[number];

export function deriveTaskState(task: ClaudeTask, completed: Membership): TaskState {
  if (task.status === 'completed') return 'done';
  if (task.status === 'in_progress') return 'in_progress';
  if (task.metadata?.escalated === true) return 'escalated';
  if (findUnmet(task, completed).length > 0) return 'blocked';
  return task.metadata?.last_outcome === 'failed' ? 'failed' : 'ready';
}

/** A failed task is back in the pool; an escalated one waits for a person. */
export function isClaimable(state: TaskState): boolean {
  return state === 'ready' || state === 'failed';
}
