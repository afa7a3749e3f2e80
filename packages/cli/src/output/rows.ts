import type { Paint, Tone } from './style.ts';
import { cleanLine, cut, cutStart, measure } from './text.ts';

export interface Cell {
  text: string;
  tone?: Tone;
  /** The cell is shortened if the line is too long for the terminal. */
  flexible?: boolean;
  /** The cell has an id. It is cut only if the line is still too long after the flexible cells were shortened. */
  isId?: boolean;
  /** A cell that is cut keeps its end, because only the end distinguishes it from other cells. */
  keepsEnd?: boolean;
  /** The text stands at the right edge of its column, as figures do. */
  isFigure?: boolean;
}

export interface RowStyle {
  width: number;
  paint: Paint;
  indent?: string;
}

interface Column {
  texts: string[];
  widths: number[];
  width: number;
  flexible: boolean;
  isId: boolean;
  /** The width that the column may take. */
  limit: number;
}

/**
 * Aligns cells in columns and keeps every line within the width. Lists can have thousands of rows, so
 * each text is measured only once, in plain loops.
 */
export function formatRows(rows: readonly (readonly Cell[])[], style: RowStyle): string[] {
  const { width, paint, indent = '' } = style;
  const columns = measureColumns(rows);
  shareWidth(columns, width - indent.length);
  const lines: string[] = [];
  for (let r = 0; r < rows.length; r++) {
    const row = rows[r] ?? [];
    let line = indent;
    let gap = 0;
    for (let c = 0; c < row.length; c++) {
      const column = columns[c];
      if (!column) continue;
      let text = column.texts[r] ?? '';
      let used = column.widths[r] ?? 0;
      if (used > column.limit) {
        text = row[c]?.keepsEnd ? cutStart(text, column.limit) : cut(text, column.limit);
        used = measure(text);
      }
      const tone = row[c]?.tone;
      const lead = row[c]?.isFigure ? column.limit - used : 0;
      if (text !== '') {
        line += ' '.repeat(gap + lead) + (tone ? paint(tone, text) : text);
        gap = -lead;
      }
      gap += column.limit - used + gapAfter(column, c);
    }
    lines.push(line);
  }
  return lines;
}

function measureColumns(rows: readonly (readonly Cell[])[]): Column[] {
  const columns: Column[] = [];
  for (let r = 0; r < rows.length; r++) {
    const row = rows[r] ?? [];
    for (let c = 0; c < row.length; c++) {
      const cell = row[c];
      if (!cell) continue;
      const column = columns[c] ?? createColumn();
      columns[c] = column;
      const text = cleanLine(cell.text);
      const width = measure(text);
      column.texts[r] = text;
      column.widths[r] = width;
      if (width > column.width) column.width = width;
      if (cell.flexible) column.flexible = true;
      if (cell.isId) column.isId = true;
    }
  }
  return columns;
}

function createColumn(): Column {
  return { texts: [], widths: [], width: 0, flexible: false, isId: false, limit: 0 };
}

/** A glyph in the first column is followed by one space, every other column by two. */
const gapAfter = (column: Column, index: number) => (index === 0 && column.width <= 1 ? 1 : 2);

/** A column is not narrower than this, even if the line is then too long. */
const LEAST = 8;
/** Long ids are cut until a title or a state has this many columns. */
const READABLE = 24;
/** But ids are not cut to less than this part of the line. */
const PART_OF_IDS = 0.4;

/**
 * Flexible columns share the width that the others leave. If one of them needs less than its share, the others get the
 * rest. Ids are shortened only if a flexible column would otherwise be too narrow to read.
 */
function shareWidth(columns: readonly Column[], width: number): void {
  let left = width;
  for (const [i, column] of columns.entries()) {
    if (i < columns.length - 1) left -= gapAfter(column, i);
    column.limit = column.width;
    if (!column.flexible && !column.isId) left -= column.width;
  }
  const flexible = columns.filter((it) => it.flexible);
  const needed = flexible.reduce((sum, it) => sum + Math.min(it.width, READABLE), 0);
  const ids = columns.filter((it) => it.isId && !it.flexible);
  const most = Math.min(width * PART_OF_IDS, left - flexible.length * LEAST);
  const ofIds = Math.max(left - needed, most);
  for (const id of share(ids, ofIds)) left -= id.limit;
  share(flexible, left);
}

function share(columns: readonly Column[], width: number): readonly Column[] {
  let left = width;
  const ordered = columns.toSorted((a, b) => a.width - b.width);
  for (const [i, column] of ordered.entries()) {
    column.limit = Math.min(column.width, Math.max(LEAST, Math.floor(left / (ordered.length - i))));
    left -= column.limit;
  }
  return columns;
}
