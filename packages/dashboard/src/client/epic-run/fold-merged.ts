import type { RunRow } from '@saga-ai/types/screens/epic-run/epic-run';

/** A short list is read at once, and a fold of few rows saves nothing. The same numbers as in a graph. */
const LEAST_ROWS = 13;
const LEAST_FOLDED = 4;

/** Leaves merged stories out of a long list, except one that is looked at. Returns how many. */
export function foldMerged(
  rows: readonly RunRow[],
  chosen: string | undefined,
): { open: readonly RunRow[]; folded: number } {
  if (rows.length < LEAST_ROWS) return { open: rows, folded: 0 };
  const open = rows.filter((it) => it.state !== 'done' || it.id === chosen);
  const folded = rows.length - open.length;
  // When all is merged, the list is the report.
  return folded < LEAST_FOLDED || open.length === 0 ? { open: rows, folded: 0 } : { open, folded };
}
