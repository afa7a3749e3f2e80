import type { RunRow } from '@saga-ai/types/screens/epic-run/epic-run';

/**
 * The fewest rows of a list that is folded, and the fewest rows that are folded. A short list is read at once, and
 * folding a few rows saves little. The numbers are the same as in a graph.
 */
const LEAST_ROWS = 13;
const LEAST_FOLDED = 4;

/** Leaves merged stories out of a long list, except the chosen one. Returns the rest, and how many were left out. */
export function foldMerged(
  rows: readonly RunRow[],
  chosen: string | undefined,
): { open: readonly RunRow[]; folded: number } {
  if (rows.length < LEAST_ROWS) return { open: rows, folded: 0 };
  const open = rows.filter((it) => it.state !== 'done' || it.id === chosen);
  const folded = rows.length - open.length;
  // When all stories are merged, nothing is folded, because the list is then the report.
  return folded < LEAST_FOLDED || open.length === 0 ? { open: rows, folded: 0 } : { open, folded };
}
