import type { RunRow } from '@saga-ai/types/screens/epic-run/epic-run';

const ACTIVE: ReadonlySet<string> = new Set([
  ...['running', 'stalled', 'needs-you', 'interrupted', 'escalated'],
]);
/** The most tiles of stories that come next. The timeline shows the others. */
const MOST_NEXT = 4;

/** Chooses which tiles are shown: what is worked on or needs a person, and the next stories that get a job. */
export function chooseTiles(
  rows: readonly RunRow[],
  jobs: number,
): { active: RunRow[]; next: RunRow[] } {
  const active = rows.filter((it) => it.work !== null || ACTIVE.has(it.state));
  const at = (row: RunRow) => row.expected?.from ?? Number.POSITIVE_INFINITY;
  const next = rows
    .filter((it) => it.work === null && (it.state === 'ready' || it.state === 'waiting'))
    .filter((it) => it.expected !== null || it.state === 'ready')
    .toSorted((a, b) => at(a) - at(b))
    .slice(0, Math.min(jobs, MOST_NEXT));
  return { active, next };
}
