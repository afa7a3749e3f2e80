/** A file of its own, so that using the list does not load zod. */
export const TASK_STATUSES = ['pending', 'in_progress', 'completed'] as const;

/** Derives the status of a story from its tasks, or of an epic from its children. */
export type Status = (typeof TASK_STATUSES)[number];

export interface StatusCounts {
  pending: number;
  in_progress: number;
  completed: number;
}

export interface Progress {
  completed: number;
  total: number;
}

export function countStatuses(statuses: Iterable<Status>): StatusCounts {
  const counts: StatusCounts = { pending: 0, in_progress: 0, completed: 0 };
  for (const status of statuses) counts[status]++;
  return counts;
}

export function deriveStatus(counts: StatusCounts): Status {
  if (counts.in_progress > 0) return 'in_progress';
  if (counts.completed > 0 && counts.pending === 0) return 'completed';
  return 'pending';
}

export function deriveProgress(counts: StatusCounts): Progress {
  return {
    completed: counts.completed,
    total: counts.pending + counts.in_progress + counts.completed,
  };
}
