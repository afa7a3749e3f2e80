import { TASK_STATUSES } from '@saga-ai/types/plan/status';
import type { TaskStatus } from '@saga-ai/types/plan/task';

export interface ListedTask {
  id: string;
  status: TaskStatus;
  subject: string;
  blockedBy: string[];
}

const LINE = new RegExp(`^#(\\S+) \\[(${TASK_STATUSES.join('|')})\\] (.*)$`);
const BLOCKED_BY = / \[blocked by (#[^\]]+)\]$/;

/** Parses the output of TaskList: `#id [status] Subject (owner) [blocked by #x, #y]`, in any order. */
export function parseTaskList(text: string): ListedTask[] {
  return text.split('\n').flatMap((line) => {
    const [, id, status, rest] = LINE.exec(line) ?? [];
    if (id === undefined || rest === undefined) return [];
    const blockedBy = BLOCKED_BY.exec(rest)?.[1]?.split(', ') ?? [];
    return [
      {
        id,
        status: status as TaskStatus,
        subject: rest.replace(BLOCKED_BY, ''),
        blockedBy: blockedBy.map((it) => it.slice(1)),
      },
    ];
  });
}

/** Picks new tasks first, then tasks that an earlier run left unfinished. Each task is tried once. */
export function pickTask(
  tasks: readonly ListedTask[],
  tried: ReadonlySet<unknown>,
): ListedTask | undefined {
  const open = tasks.filter((task) => task.blockedBy.length === 0 && !tried.has(task.id));
  return (
    open.find((task) => task.status === 'pending') ??
    open.find((task) => task.status === 'in_progress')
  );
}
