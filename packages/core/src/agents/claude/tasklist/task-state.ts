import { findUnmet, type Membership } from '@saga-ai/types/plan/graph';
import type { TaskState } from '@saga-ai/types/screens/story-state';
import type { ClaudeTask } from './claude-task.ts';

export function deriveTaskState(task: ClaudeTask, completed: Membership): TaskState {
  if (task.status === 'completed') return 'done';
  if (task.status === 'in_progress') return 'in_progress';
  if (task.metadata?.escalated === true) return 'escalated';
  if (findUnmet(task, completed).length > 0) return 'blocked';
  return task.metadata?.last_outcome === 'failed' ? 'failed' : 'ready';
}

/** Whether a task can be claimed. A failed task can; an escalated one waits for a person. */
export function isClaimable(state: TaskState): boolean {
  return state === 'ready' || state === 'failed';
}

const NO_ATTEMPTS = { attempt_count: undefined, last_outcome: undefined, escalated: undefined };

/**
 * Returns the task with a status that a person set. A pending or completed task loses its owner; a
 * task that is pending again gets all its attempts back.
 */
export function changeStatus(task: ClaudeTask, status: ClaudeTask['status']): ClaudeTask {
  if (status === 'in_progress') return { ...task, status };
  const { owner: _, ...rest } = task;
  const { claim: __, ...metadata } = task.metadata ?? {};
  const history = status === 'pending' ? NO_ATTEMPTS : {};
  return { ...rest, status, metadata: { ...metadata, ...history } };
}
