import type { Expected, RunForecast, RunRow } from '@saga-ai/types/screens/epic-run/epic-run';
import type { Candidate } from '../schedule.ts';
import { estimateLeft, expectEnds, findPace } from './expect-ends.ts';

/** What is known when a run is forecast. */
export interface Outlook {
  candidates: readonly Candidate[];
  rows: readonly RunRow[];
  now: number;
  jobs: number;
}

export interface ForecastRun {
  forecast: RunForecast | null;
  expected: ReadonlyMap<string, Expected>;
}

export const NO_FORECAST: ForecastRun = { forecast: null, expected: new Map() };

/** Times are rounded up to this, so that a forecast stays the same while nothing happens. */
const LEAST_STEP_MS = 5_000;

/** Forecasts what is left of a run from the stories that it has finished. Pure. */
export function forecastRun({ candidates, rows, now, jobs }: Outlook): ForecastRun {
  const standings = new Map(candidates.map((it) => [it.id, it.standing]));
  const isFinished = (id: string) => ['merged', 'passed'].includes(standings.get(id) ?? '');
  const pace = findPace(
    rows
      .filter((it) => isFinished(it.id))
      .map(({ spans, progress }) => ({ ms: sumWork(spans, now), tasks: progress.total })),
  );
  if (!pace) return NO_FORECAST;
  const { taskMs, basedOn } = pace;
  const step = Math.max(LEAST_STEP_MS, taskMs / 4);
  const byId = new Map(rows.map((it) => [it.id, it]));
  const leftOf = (id: string) => {
    const { spans = [], progress = ONE_TASK } = byId.get(id) ?? {};
    if (standings.get(id) === 'passed') return 0;
    const last = spans.at(-1);
    const since = last?.to === null && last.kind !== 'waits' ? now - last.from : 0;
    const whole = estimateLeft(progress, taskMs);
    // The task that is worked on now has used up some of it.
    return Math.max(whole - since, taskMs / 4);
  };
  const expected = new Map<string, Expected>();
  let endsAt = now;
  for (const [id, { from, to }] of expectEnds(candidates, { now, jobs, leftOf })) {
    const rounded = { from: roundUp(from, step), to: roundUp(to, step) };
    expected.set(id, rounded);
    endsAt = Math.max(endsAt, rounded.to);
  }
  return expected.size === 0 ? NO_FORECAST : { forecast: { endsAt, basedOn }, expected };
}

/** A story whose tasks cannot be read. */
const ONE_TASK = { completed: 0, total: 1 };

const roundUp = (value: number, step: number) => Math.ceil(value / step) * step;

const sumWork = (spans: RunRow['spans'], now: number) =>
  spans
    .filter(({ kind }) => kind !== 'waits')
    .reduce((sum, { from, to }) => sum + ((to ?? now) - from), 0);
