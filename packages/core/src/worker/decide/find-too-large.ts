import type { Ceiling } from '@saga-ai/types/plan/replace-task';
import type { Task } from '@saga-ai/types/plan/task';

type Standing = Pick<
  Task,
  'id' | 'status' | 'attempts' | 'lastOutcome' | 'escalated' | 'splitFrom'
>;

/** What a run changed. */
export interface Grown {
  files: number;
  lines: number;
}

export interface TooLarge {
  taskId: string;
  why: 'stalled' | 'tried' | 'grown';
}

/** After this many attempts, a task counts as too large. */
const ATTEMPTS = 2;

/**
 * Finds the task that a run tried and that seems too large for one: the run stalled in it, it was tried twice, or the
 * run changed more than a task should and completed nothing. A part of a task that was split is not split again.
 */
export function findTooLarge(
  before: readonly Standing[],
  after: readonly Standing[],
  grown: Grown,
  ceiling: Ceiling,
): TooLarge | undefined {
  const earlier = new Map(before.map((it) => [it.id, it]));
  const completedSome = after.some(
    ({ id, status }) => status === 'completed' && earlier.get(id)?.status !== 'completed',
  );
  const hasGrown = !completedSome && (grown.files > ceiling.files || grown.lines > ceiling.lines);
  for (const { id, status, attempts = 0, lastOutcome, escalated, splitFrom } of after) {
    const wasTried = attempts > (earlier.get(id)?.attempts ?? 0);
    if (!wasTried || status === 'completed' || escalated || splitFrom !== undefined) continue;
    if (lastOutcome === 'stalled') return { taskId: id, why: 'stalled' };
    if (attempts >= ATTEMPTS) return { taskId: id, why: 'tried' };
    if (hasGrown) return { taskId: id, why: 'grown' };
  }
  return undefined;
}
