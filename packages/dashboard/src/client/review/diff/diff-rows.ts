import type { DiffHunk } from '@saga-ai/types/screens/review/review';

/** A line on one side of a change. */
export interface Cell {
  side: 'old' | 'new';
  line: number;
  sign: '+' | '-' | ' ';
  text: string;
  /** The index of the line in its part. */
  index: number;
}

/** One row on the screen. A unified row has one cell; a row side by side has a cell on each side, or a gap. */
export interface DiffRow {
  key: string;
  left?: Cell;
  right?: Cell;
  /** A remark of git about the line: the file has no line break at its end. */
  remark?: string;
}

/** Lists rows as git prints them, one line below the other. A removed line is the `left` cell of its row. */
export function listUnified({ oldStart, newStart, lines }: DiffHunk): DiffRow[] {
  return readCells({ oldStart, newStart, lines }).map(({ key, old, now, remark }) => {
    if (remark !== undefined) return { key, remark };
    // A line that did not change has both numbers; remarks on it are about the new file.
    return { key, left: old, right: now };
  });
}

/** Lists rows side by side: removed lines are beside the lines that replaced them. */
export function listSplit(hunk: Pick<DiffHunk, 'oldStart' | 'newStart' | 'lines'>): DiffRow[] {
  const rows: DiffRow[] = [];
  let removed: Cell[] = [];
  let added: Cell[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      const left = removed[at];
      const right = added[at];
      const key = String(left?.index ?? right?.index);
      rows.push({ key, left, right });
    }
    removed = [];
    added = [];
  };
  for (const { key, old, now, remark } of readCells(hunk)) {
    if (old && !now) removed.push(old);
    else if (now && !old) added.push(now);
    else {
      // git's remark is about the line above, which may be on one side only.
      if (remark !== undefined) continue;
      flush();
      rows.push({ key, left: old, right: now });
    }
  }
  flush();
  return rows;
}

interface Read {
  key: string;
  old?: Cell;
  now?: Cell;
  remark?: string;
}

function readCells({
  oldStart,
  newStart,
  lines,
}: Pick<DiffHunk, 'oldStart' | 'newStart' | 'lines'>): Read[] {
  let before = oldStart;
  let after = newStart;
  return lines.map((line, index): Read => {
    const key = String(index);
    const sign = line[0];
    const text = line.slice(1);
    if (sign === '\\') return { key, remark: text.trim() };
    if (sign === '-') return { key, old: { side: 'old', line: before++, sign, text, index } };
    if (sign === '+') return { key, now: { side: 'new', line: after++, sign, text, index } };
    return {
      key,
      old: { side: 'old', line: before++, sign: ' ', text, index },
      now: { side: 'new', line: after++, sign: ' ', text, index },
    };
  });
}

/** The place of a remark that is made on a row: the new line if there is one. */
export function placeOf({ left, right }: DiffRow): Pick<Cell, 'side' | 'line'> | undefined {
  return right ?? left;
}
