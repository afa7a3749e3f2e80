import type { Expected } from '@saga-ai/types/screens/epic-run/epic-run';
import { type Candidate, weighPaths } from '../schedule.ts';

export interface Prospect {
  now: number;
  jobs: number;
  /** How many milliseconds of work a story still takes. */
  leftOf(storyId: string): number;
}

/**
 * Expects when each story that is not merged begins and ends: as the scheduler would start them, with as many jobs as
 * now. Assumes that a person helps at once wherever one is needed, and that a merge takes no time. Stories of a cycle
 * are left out. Pure.
 */
export function expectEnds(
  candidates: readonly Candidate[],
  { now, jobs, leftOf }: Prospect,
): Map<string, Expected> {
  const open = new Map(
    candidates.filter((it) => it.standing !== 'merged').map((it) => [it.id, it]),
  );
  const weights = weighPaths(candidates);
  const expected = new Map<string, Expected>();
  const missing = new Map<string, number>();
  const dependents = new Map<string, string[]>();
  const link = (before: string, id: string) => {
    if (!open.has(before)) return;
    missing.set(id, (missing.get(id) ?? 0) + 1);
    dependents.set(before, [...(dependents.get(before) ?? []), id]);
  };
  for (const { id, needs, epic } of open.values()) {
    for (const need of needs) link(need, id);
    // An inner epic ends after all its children.
    if (open.has(epic)) link(id, epic);
  }
  const ready: string[] = [];
  const running: { id: string; to: number }[] = [];
  const begin = (id: string, from: number) => {
    const to = from + leftOf(id);
    expected.set(id, { from, to });
    running.push({ id, to });
  };
  const settle = (id: string) => {
    for (const next of dependents.get(id) ?? []) {
      const left = (missing.get(next) ?? 0) - 1;
      missing.set(next, left);
      if (left > 0) continue;
      if (open.get(next)?.kind === 'epic') settle(next);
      else if (!expected.has(next)) ready.push(next);
    }
  };
  for (const { id, kind, standing } of open.values()) {
    if (kind === 'epic') continue;
    if (standing === 'running' || standing === 'passed') begin(id, now);
    else if ((missing.get(id) ?? 0) === 0) ready.push(id);
  }
  let at = now;
  // Every round ends one story.
  for (let left = open.size; left >= 0 && running.length + ready.length > 0; left--) {
    ready.sort((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0));
    for (const id of ready.splice(0, Math.max(0, jobs - running.length))) begin(id, at);
    running.sort((a, b) => a.to - b.to);
    const first = running.shift();
    if (!first) break;
    at = Math.max(at, first.to);
    settle(first.id);
  }
  return expected;
}

/** Returns the median time of a task in finished stories, or undefined if no story is finished. */
export function findPace(
  finished: readonly { ms: number; tasks: number }[],
): { taskMs: number; basedOn: number } | undefined {
  const paces = finished
    .filter(({ ms, tasks }) => ms > 0 && tasks > 0)
    .map(({ ms, tasks }) => ms / tasks)
    .toSorted((a, b) => a - b);
  const taskMs = paces[Math.floor(paces.length / 2)];
  return taskMs === undefined ? undefined : { taskMs, basedOn: paces.length };
}

/**
 * Estimates the work that is left of a story: its open tasks, and at least a quarter of a task for its gate and its
 * merge.
 */
export const estimateLeft = (
  { completed, total }: { completed: number; total: number },
  taskMs: number,
): number => Math.max(total - completed, LEAST_TASKS) * taskMs;

const LEAST_TASKS = 0.25;
