import type { AttemptOutcome, Task, TaskStatus } from '@saga-ai/types/plan/task';
import { ATTEMPT_OUTCOMES } from '@saga-ai/types/plan/task';
import type { RunEnd } from '../../agent.ts';
import type { ClaudeTask } from './claude-task.ts';

/** A change that a native list makes in a story. Only statuses of the story's own tasks change. */
export interface SyncChange {
  taskId: string;
  from: TaskStatus;
  to: TaskStatus;
  why: 'the list says so' | 'the run ended before it was completed';
  attempt?: Attempt;
  /** True if the task must also be set back in the list. The list is changed before the story: see `decideSync`. */
  putBack: boolean;
}

export interface Attempt {
  attempts: number;
  lastOutcome: AttemptOutcome;
}

/** What was noticed in the list and not applied, with the reason. */
export interface SyncNote {
  taskId: string;
  kind: 'vanished' | 'invalid' | 'created-by-run' | 'not-its-task';
}

export interface SyncPlan {
  changes: SyncChange[];
  notes: SyncNote[];
}

export interface SyncSource {
  story: readonly Task[];
  native: readonly ClaudeTask[];
  /** Ids of files in the list that cannot be read. */
  invalid: readonly string[];
  /** How the run ended; undefined while it is running. Without an outcome, no attempt is counted. */
  ended?: RunEnd;
}

/**
 * Decides what reconciling writes. A task that was deleted, cannot be read, or was created by the run
 * never changes a story.
 *
 * A task left in progress is first set back in the list, with its attempt counted there; then the
 * story follows the list. If the worker is killed in between, the next attempt finds the count in the
 * list and does not count twice.
 */
export function decideSync({ story, native, invalid, ended }: SyncSource): SyncPlan {
  const byId = new Map(native.map((task) => [task.id, task]));
  const known = new Set(story.map((task) => task.id));
  const plan: SyncPlan = { changes: [], notes: [] };
  for (const task of story) {
    const twin = byId.get(task.id);
    if (!twin) {
      const kind = invalid.includes(task.id) ? 'invalid' : 'vanished';
      plan.notes.push({ taskId: task.id, kind });
    }
    const change = decideTask(task, twin, ended);
    if (!change) continue;
    if (ended?.own === undefined || ended.own.includes(task.id)) {
      plan.changes.push(change);
      continue;
    }
    // The run worked on a task that is not its own. Nothing of that counts, and there is no attempt. But the task must
    // not stay in progress.
    const { attempt: _, ...uncounted } = change;
    const wasLeft = twin?.status === 'in_progress' && task.status !== 'completed';
    if (wasLeft) plan.changes.push(uncounted);
    else plan.notes.push({ taskId: task.id, kind: 'not-its-task' });
  }
  for (const { id } of native) {
    if (!known.has(id)) plan.notes.push({ taskId: id, kind: 'created-by-run' });
  }
  return plan;
}

function decideTask(
  task: Task,
  twin: ClaudeTask | undefined,
  ended: RunEnd | undefined,
): SyncChange | undefined {
  const { id: taskId, status: from, attempts = 0 } = task;
  const counted = twin && readAttempt(twin);
  const status = twin?.status ?? from;
  if (ended && status === 'in_progress') {
    const before = Math.max(attempts, counted?.attempts ?? 0);
    const attempt = ended.outcome && { attempts: before + 1, lastOutcome: ended.outcome };
    const why = 'the run ended before it was completed';
    const putBack = twin !== undefined;
    return { taskId, from, to: 'pending', why, attempt, putBack };
  }
  const isNewer = counted !== undefined && counted.attempts > attempts;
  if (status === from && !isNewer) return undefined;
  const attempt = isNewer ? { attempt: counted } : {};
  return { taskId, from, to: status, why: 'the list says so', ...attempt, putBack: false };
}

/**
 * Reads the earlier attempts from the list's metadata. Returns undefined if they are not in the form
 * that SAGA writes.
 */
function readAttempt({ metadata }: ClaudeTask): Attempt | undefined {
  const attempts = metadata?.attempt_count;
  const lastOutcome = ATTEMPT_OUTCOMES.find((it) => it === metadata?.last_outcome);
  if (typeof attempts !== 'number' || !Number.isInteger(attempts) || !lastOutcome) return undefined;
  return { attempts, lastOutcome };
}
