import { findUnmet, orderTopologically } from '@saga-ai/types/plan/graph';
import type { Task } from '@saga-ai/types/plan/task';

/** The purpose of one run, when every task gets a run of its own. */
export interface Focus {
  taskId: string;
  subject: string;
  /** A run in the role `tests` comes first and may write only test files. */
  role: 'tests' | 'work';
}

type Candidate = Pick<Task, 'id' | 'subject' | 'status' | 'blockedBy' | 'escalated' | 'needsTests'>;

/** Chooses the first task that is not completed and not blocked. */
export function decideFocus(
  tasks: readonly Candidate[],
  haveTests: ReadonlySet<string>,
): Focus | undefined {
  const completed = new Set(tasks.filter((it) => it.status === 'completed').map((it) => it.id));
  const { ordered, unordered } = orderTopologically(tasks);
  const task = [...ordered, ...unordered].find(
    (it) => it.status !== 'completed' && !it.escalated && findUnmet(it, completed).length === 0,
  );
  if (!task) return undefined;
  const { id: taskId, subject, needsTests } = task;
  return { taskId, subject, role: needsTests && !haveTests.has(taskId) ? 'tests' : 'work' };
}
