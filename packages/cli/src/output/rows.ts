import type { Paint, Tone } from './style.ts';
import { cleanLine, cut, measure, pad } from './text.ts';

export interface Cell {
  text: string;
  tone?: Tone;
  /** Gives way when the line is too long for the terminal. */
  flexible?: boolean;
}

/** Lines up cells in columns and keeps every line within the width. */
export function formatRows(
  rows: readonly (readonly Cell[])[],
  { width, paint, indent = '' }: { width: number; paint: Paint; indent?: string },
): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.max(0, ...rows.map((row) => measure(cleanLine(row[i]?.text ?? '')))),
  );
  const fixed = widths.filter((_, i) => !rows.some((row) => row[i]?.flexible));
  const flexible = columns - fixed.length;
  const gaps = 2 * Math.max(0, columns - 1);
  const left = width - indent.length - gaps - fixed.reduce((sum, it) => sum + it, 0);
  const share = flexible > 0 ? Math.max(8, Math.floor(left / flexible)) : 0;
  // What one flexible column does not need, the others may use.
  const spare = widths.reduce(
    (sum, it, i) => (rows.some((row) => row[i]?.flexible) ? sum + Math.max(0, share - it) : sum),
    0,
  );
  return rows.map((row) => {
    const cells = row.map((cell, i) => {
      const limit = cell.flexible ? share + spare : (widths[i] ?? 0);
      const text = cut(cleanLine(cell.text), limit);
      const padded = i === row.length - 1 ? text : pad(text, Math.min(widths[i] ?? 0, limit));
      return cell.tone ? paint(cell.tone, padded) : padded;
    });
    return `${indent}${cells.join('  ')}`.trimEnd();
  });
}
