import { findCriticalPath, type GraphNode } from '../../plan/graph.ts';
import type { Span } from './spans.ts';

/** The report of an epic run. Times are milliseconds. */
export interface RunReport {
  /** From its start to its end. */
  makespanMs: number;
  /** The working time of the longest chain of stories that waited for each other. */
  criticalMs: number;
  criticalPath: string[];
  /** The time that jobs had no story to work on, added up. */
  idleMs: number;
  /** The time in which at least one story waited for a person. */
  peopleMs: number;
  costUsd: number;
  merged: number;
  /** How often a worker of a story was started again. */
  retries: number;
  /** At most three, the slowest first. */
  slowest: { id: string; ms: number }[];
}

/** A story of the run. An inner epic is a node too, which waits for all its children and takes no time. */
export interface ReportedItem extends GraphNode {
  spans: readonly Span[];
  costUsd: number;
  starts: number;
  /** Whether the item was merged in this run. */
  isMerged: boolean;
}

export interface ReportedRun {
  from: number;
  to: number;
  /** The number of jobs, and since when; oldest first. */
  jobs: readonly { at: number; jobs: number }[];
  items: readonly ReportedItem[];
}

export function deriveReport({ from, to, jobs, items }: ReportedRun): RunReport {
  const busy = new Map(items.map((it) => [it.id, sumBusy(it.spans, to)]));
  const criticalPath = findCriticalPath(items, ({ id }) => busy.get(id) ?? 0);
  const slowest = [...busy]
    .filter(([, ms]) => ms > 0)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, SHOWN)
    .map(([id, ms]) => ({ id, ms }));
  return {
    makespanMs: to - from,
    criticalMs: criticalPath.reduce((sum, id) => sum + (busy.get(id) ?? 0), 0),
    criticalPath: criticalPath.filter((id) => (busy.get(id) ?? 0) > 0),
    idleMs: sumIdle(items, jobs, from, to),
    peopleMs: measureUnion(
      items.flatMap((it) => it.spans.filter(({ kind }) => kind === 'waits')),
      to,
    ),
    costUsd: items.reduce((sum, it) => sum + it.costUsd, 0),
    merged: items.filter((it) => it.isMerged).length,
    retries: items.reduce((sum, it) => sum + Math.max(0, it.starts - 1), 0),
    slowest,
  };
}

const SHOWN = 3;

const lengthOf = ({ from, to }: Span, end: number) => (to ?? end) - from;

const sumBusy = (spans: readonly Span[], end: number) =>
  spans.filter(({ kind }) => kind !== 'waits').reduce((sum, span) => sum + lengthOf(span, end), 0);

/** Adds up the idle time of jobs. A job is busy while a worker works on a story or its gate runs. */
function sumIdle(
  items: readonly ReportedItem[],
  jobs: ReportedRun['jobs'],
  from: number,
  to: number,
): number {
  const steps = items.flatMap((it) =>
    it.spans
      .filter(({ kind }) => kind === 'work' || kind === 'gate')
      .flatMap((span) => [
        { at: span.from, busy: 1 },
        { at: span.to ?? to, busy: -1 },
      ]),
  );
  const moments = [
    ...steps,
    ...jobs.map(({ at, jobs: n }) => ({ at: Math.max(at, from), jobs: n })),
  ];
  let idle = 0;
  let busy = 0;
  let wanted = 0;
  let last = from;
  for (const step of moments.toSorted((a, b) => a.at - b.at)) {
    const at = Math.min(Math.max(step.at, from), to);
    idle += Math.max(0, wanted - busy) * (at - last);
    last = at;
    if ('jobs' in step) wanted = step.jobs;
    else busy += step.busy;
  }
  return idle + Math.max(0, wanted - busy) * (to - last);
}

/** Returns the time that is covered by at least one of these spans. */
function measureUnion(spans: readonly Span[], end: number): number {
  let covered = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const to = span.to ?? end;
    covered += Math.max(0, to - Math.max(span.from, until));
    until = Math.max(until, to);
  }
  return covered;
}
