import type { Progress } from '@saga-ai/types/plan/status';
import type { EpicHistoryAnswer, HistoryPoint } from '@saga-ai/types/screens/dashboard';

/** A note that a task was completed, or that it no longer is. */
export interface NotedStatus {
  story: string;
  task: string;
  /** In milliseconds; NaN if unknown. */
  time: number;
  isCompleted: boolean;
}

/** Maps each task to its completion time, in milliseconds. */
export type CompletionTimes = ReadonlyMap<string, number>;

export interface StoryHistory {
  id: string;
  title: string;
  progress: Progress;
  times: CompletionTimes;
}

/** The most points of a chart. More points would make the answer larger, and a reader would not see them. */
const MOST_POINTS = 500;

/**
 * Finds when each task was completed, by story. The same completion is noted several times: in the
 * output file when it happened, in git when it was committed, and again when it was merged. The first
 * note counts, unless the task was opened again after it.
 */
export function findCompletionTimes(
  noted: Iterable<NotedStatus>,
  now: number,
): Map<string, Map<string, number>> {
  const known = [...noted].filter(({ time }) => time > 0 && time <= now);
  const stories = new Map<string, Map<string, number>>();
  for (const { story, task, time, isCompleted } of known.sort((a, b) => a.time - b.time)) {
    const times = stories.get(story) ?? new Map<string, number>();
    stories.set(story, times);
    if (!isCompleted) times.delete(task);
    else if (!times.has(task)) times.set(task, time);
  }
  return stories;
}

export function deriveHistory(stories: readonly StoryHistory[]): Omit<EpicHistoryAnswer, 'isRead'> {
  const tasks = { completed: 0, total: 0 };
  let done = 0;
  let dated = 0;
  const moments = new Map<number, Moment>();
  for (const { id, title, progress, times } of stories) {
    tasks.completed += progress.completed;
    tasks.total += progress.total;
    dated += times.size;
    const isDone = progress.total > 0 && progress.completed === progress.total;
    if (isDone) done++;
    for (const time of times.values()) {
      const moment = moments.get(time) ?? { tasks: 0 };
      moment.tasks++;
      moments.set(time, moment);
    }
    // If the time of one task is unknown, so is the time of the last one.
    if (!isDone || times.size !== progress.total) continue;
    const last = moments.get(Math.max(...times.values()));
    if (last) last.stories = [...(last.stories ?? []), { id, title }];
  }
  const undated = Math.max(0, tasks.completed - dated);
  return {
    tasks,
    stories: { completed: done, total: stories.length },
    undated,
    points: thin(addUp(moments, undated)),
  };
}

/** What happened at one time. A commit may complete several tasks. */
interface Moment {
  tasks: number;
  stories?: { id: string; title: string }[];
}

function addUp(moments: ReadonlyMap<number, Moment>, undated: number): HistoryPoint[] {
  let completed = undated;
  return [...moments]
    .sort(([a], [b]) => a - b)
    .map(([time, { tasks, stories }]) => {
      completed += tasks;
      return { time: new Date(time).toISOString(), completed, stories };
    });
}

/** Drops points if there are too many. Each point is a running total, so the others stay right. */
function thin(points: readonly HistoryPoint[]): HistoryPoint[] {
  const stride = Math.ceil(points.length / MOST_POINTS);
  return points.filter(({ stories }, i) => stories || (points.length - 1 - i) % stride === 0);
}
