import { findUnmet, orderTopologically } from '@saga-ai/types/plan/graph';
import type { Task } from '@saga-ai/types/plan/task';

/** The purpose of one run that is for one task only. */
export interface Focus {
  taskId: string;
  subject: string;
  /** A run in the role `tests` comes first and may write only test files. */
  role: 'tests' | 'work';
}

type Candidate = Pick<Task, 'id' | 'subject' | 'status' | 'blockedBy' | 'escalated' | 'needsTests'>;

/**
 * Chooses the task of the next run. In mode `story` all tasks that need no tests share a run, so undefined is
 * returned as long as there is work for such a run.
 */
export function decideFocus(
  tasks: readonly Candidate[],
  haveTests: ReadonlySet<string>,
  mode: 'story' | 'task',
): Focus | undefined {
  const workable = listWorkable(tasks);
  if (mode === 'story' && workable.some((it) => !it.needsTests)) return undefined;
  const [task] = workable;
  if (!task) return undefined;
  const { id: taskId, subject, needsTests } = task;
  return { taskId, subject, role: needsTests && !haveTests.has(taskId) ? 'tests' : 'work' };
}

/** The tasks that a run could work on now: not completed, not blocked, and not waiting for a person. */
function listWorkable(tasks: readonly Candidate[]): Candidate[] {
  const completed = new Set(tasks.filter((it) => it.status === 'completed').map((it) => it.id));
  const { ordered, unordered } = orderTopologically(tasks);
  return [...ordered, ...unordered].filter(
    (it) => it.status !== 'completed' && !it.escalated && findUnmet(it, completed).length === 0,
  );
}

/**
 * Lists the tasks whose statuses a run may change. A run for one task may change that task, a run that writes tests
 * none, and a run that works through the list all tasks that need no tests and do not wait for a person.
 */
export function listOwnTasks(tasks: readonly Candidate[], focus: Focus | undefined): string[] {
  if (focus) return focus.role === 'work' ? [focus.taskId] : [];
  return tasks.filter((it) => !it.needsTests && !it.escalated).map((it) => it.id);
}
