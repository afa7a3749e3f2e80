import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { DiffItem } from './diff-items.ts';
import { type DiffRow, placeOf } from './diff-rows.ts';

/** The line on which keys act. */
export interface Cursor {
  file: number;
  /** The place of the line, such as `new 12`. */
  place: string;
}

interface CursorOptions {
  items: readonly DiffItem[];
  rows: Virtualizer<HTMLDivElement, Element>;
  scroller: RefObject<HTMLDivElement | null>;
  beginRemark: (file: number, place: string) => void;
  /** The first piece on the screen. */
  first: number;
}

/** Moves from change to change and from line to line, and begins remarks: by keys, or by a click on a number. */
export function useCursor(options: CursorOptions) {
  const [at, setAt] = useState<Cursor>();
  const latest = useRef({ ...options, at });
  latest.current = { ...options, at };

  const stepHunk = useCallback((step: 1 | -1) => {
    const { items, rows, scroller, first, at: from } = latest.current;
    const here = from ? findRow(items, from) : undefined;
    const start = here ? here.hunk : step === 1 ? first - 1 : first;
    for (let index = start + step; index >= 0 && index < items.length; index += step) {
      const item = items[index];
      // A file that is not loaded yet is loaded when it is reached.
      if (item?.kind === 'unloaded') {
        rows.scrollToIndex(index, { align: 'start' });
        setAt(undefined);
        return;
      }
      if (item?.kind !== 'hunk') continue;
      const found = firstChange(items, index);
      setAt(found);
      rows.scrollToIndex(index, { align: 'start' });
      scroller.current?.focus({ preventScroll: true });
      return;
    }
  }, []);

  const stepLine = useCallback((step: 1 | -1) => {
    const { items, rows, at: from, first } = latest.current;
    const places = from ? findRow(items, from) : undefined;
    const lines = listLines(items, places?.index ?? first, step);
    const here = from ? lines.findIndex((it) => isSame(it, from)) : -1;
    const next = from && places ? lines[here + 1] : lines[0];
    if (!next) return;
    setAt({ file: next.file, place: next.place });
    rows.scrollToIndex(next.index, { align: 'auto' });
  }, []);

  const remark = useCallback(() => {
    const { at: from, beginRemark } = latest.current;
    if (from) beginRemark(from.file, from.place);
  }, []);

  const { scroller } = options;
  useEffect(() => {
    const element = scroller.current;
    const press = (event: MouseEvent) => {
      const number = (event.target as Element).closest<HTMLElement>('[data-remark]');
      const row = number?.closest<HTMLElement>('[data-file]');
      if (!number || !row) return;
      latest.current.beginRemark(Number(row.dataset.file), number.dataset.remark ?? '');
    };
    const type = (event: KeyboardEvent) => {
      if (event.target !== element || event.metaKey || event.ctrlKey || event.altKey) return;
      if (event.key !== 'j' && event.key !== 'k') return;
      // Elsewhere these keys go from row to row of a list.
      event.stopPropagation();
      event.preventDefault();
      stepLine(event.key === 'j' ? 1 : -1);
    };
    element?.addEventListener('click', press);
    element?.addEventListener('keydown', type);
    return () => {
      element?.removeEventListener('click', press);
      element?.removeEventListener('keydown', type);
    };
  }, [scroller, stepLine]);

  return { at, stepHunk, remark };
}

const nameOf = (row: DiffRow) => {
  const place = placeOf(row);
  return place ? `${place.side} ${place.line}` : '';
};

const isSame = (a: Cursor, b: Cursor) => a.file === b.file && a.place === b.place;

/** Finds the piece that the line is in, and the head of its part. */
function findRow(
  items: readonly DiffItem[],
  { file, place }: Cursor,
): { index: number; hunk: number } | undefined {
  const index = items.findIndex(
    (it) => it.kind === 'rows' && it.file === file && it.rows.some((row) => nameOf(row) === place),
  );
  if (index === -1) return undefined;
  const hunk = items.findLastIndex((it, at) => at < index && it.kind === 'hunk');
  return { index, hunk };
}

/** Returns the first added line of a part, or the first removed line if none was added. */
function firstChange(items: readonly DiffItem[], hunk: number): Cursor | undefined {
  let removed: Cursor | undefined;
  for (let index = hunk + 1; index < items.length; index++) {
    const item = items[index];
    if (item?.kind === 'draft') continue;
    if (item?.kind !== 'rows') break;
    const toCursor = (row: DiffRow): Cursor => ({ file: item.file, place: nameOf(row) });
    const added = item.rows.find(({ right }) => right?.sign === '+');
    if (added) return toCursor(added);
    const row = item.rows.find(({ left }) => left?.sign === '-');
    if (row) removed ??= toCursor(row);
  }
  return removed;
}

/** Lists lines from a piece on, in the direction of the step. The caller stops when it has enough. */
function listLines(
  items: readonly DiffItem[],
  start: number,
  step: 1 | -1,
): (Cursor & { index: number })[] {
  const lines: (Cursor & { index: number })[] = [];
  let pieces = 0;
  for (let index = start; index >= 0 && index < items.length && pieces < 2; index += step) {
    const item = items[index];
    if (item?.kind !== 'rows') continue;
    pieces += 1;
    const own = item.rows
      .map((row) => ({ file: item.file, place: nameOf(row), index }))
      .filter(({ place }) => place !== '');
    lines.push(...(step === 1 ? own : own.reverse()));
  }
  return lines;
}
