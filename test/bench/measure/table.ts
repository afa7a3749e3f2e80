/** Lines up cells: the first column to the left, figures to the right. */
export function formatTable(rows: readonly (readonly string[])[], gap = 2): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [c, cell] of row.entries()) widths[c] = Math.max(widths[c] ?? 0, cell.length);
  }
  return rows
    .map((row) =>
      row
        .map((cell, c) => (c === 0 ? cell.padEnd(widths[c] ?? 0) : cell.padStart(widths[c] ?? 0)))
        .join(' '.repeat(gap))
        .trimEnd(),
    )
    .join('\n');
}
