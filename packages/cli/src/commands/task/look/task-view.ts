import { completedOf, isDeadClaim } from '@saga-ai/core/agents/claude/tasklist/claim';
import type { ClaudeTask } from '@saga-ai/core/agents/claude/tasklist/claude-task';
import { explainMissing } from '@saga-ai/core/agents/claude/tasklist/missing-task';
import type { TaskSource } from '@saga-ai/core/agents/claude/tasklist/task-source';
import { deriveTaskState } from '@saga-ai/core/agents/claude/tasklist/task-state';
import { findUnmet, orderTopologically } from '@saga-ai/types/plan/graph';
import type { TaskJson, TasksJson, TaskView } from '@saga-ai/types/screens/json/task';
import { LIST_TASK_STATES, type TaskState } from '@saga-ai/types/screens/story-state';
import type { Problem } from '@saga-ai/types/words/problem';
import type { Output } from '../../../output/output.ts';
import { type Cell, formatRows } from '../../../output/rows.ts';

/** Returns all tasks, or those whose state is wanted, in the order in which they can be worked on. */
export function loadViews(
  source: TaskSource,
  isWanted?: (state: TaskState) => boolean,
): { tasks: TaskView[]; problems: Problem[] } {
  const { tasks, problems } = source.load();
  const completed = completedOf(tasks);
  const { ordered, unordered } = orderTopologically(tasks);
  const all = [...ordered, ...unordered];
  const wanted = isWanted ? all.filter((it) => isWanted(deriveTaskState(it, completed))) : all;
  return { tasks: wanted.map((task) => viewTask(task, completed)), problems };
}

export function requireTask<T extends ClaudeTask>(
  loaded: { tasks: readonly T[]; problems: readonly Problem[] },
  id: string,
  label: string,
): T {
  const task = loaded.tasks.find((it) => it.id === id);
  if (task) return task;
  throw explainMissing(id, loaded, label);
}

export function viewTask(task: ClaudeTask, completed: ReadonlySet<string>): TaskView {
  const labels = task.metadata?.labels;
  return {
    ...task,
    state: deriveTaskState(task, completed),
    waitsFor: task.status === 'completed' ? [] : findUnmet(task, completed),
    labels: Array.isArray(labels) ? labels.map(String) : [],
    abandoned: isDeadClaim(task),
  };
}

export function toRow(task: TaskView): Cell[] {
  const { glyph, tone } = LIST_TASK_STATES[task.state];
  return [
    { text: glyph, tone },
    { text: task.id },
    { text: task.subject, flexible: true },
    { text: describe(task), tone, flexible: true },
  ];
}

function describe(task: TaskView): string {
  if (task.abandoned) return `abandoned by ${task.owner ?? 'somebody'}`;
  if (task.state === 'in_progress') return task.owner ?? 'in progress';
  if (task.state === 'blocked') return `waits for ${task.waitsFor.join(', ')}`;
  const attempts = Number(task.metadata?.attempt_count ?? 0);
  if (task.state === 'escalated') return 'escalated';
  return task.state === 'failed' ? `failed${attempts > 1 ? `, ${attempts} attempts` : ''}` : '';
}

/** Prints a list of tasks, or the text `nothing` if the list is empty. */
export function printTasks(
  out: Output<TasksJson>,
  tasks: TaskView[],
  problems: Problem[],
  nothing: string,
): undefined {
  if (out.json) return void out.value({ tasks, problems });
  out.problems(problems);
  out.lines(tasks.length === 0 ? [nothing] : formatRows(tasks.map(toRow), out));
}

export function printTask(out: Output<TaskJson>, task: TaskView): undefined {
  if (out.json) return void out.value({ task });
  out.lines(formatRows([toRow(task)], out));
}
