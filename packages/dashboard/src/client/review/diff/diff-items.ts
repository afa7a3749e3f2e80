import type { DiffHunk, FileDiffAnswer, ReviewFile } from '@saga-ai/types/screens/review/review';
import type { Draft } from '../drafts.ts';
import { type DiffRow, listSplit, listUnified } from './diff-rows.ts';

/** A piece of the review that is drawn as a whole. Only the pieces on the screen are. */
export type DiffItem = { key: string; file: number } & (
  | { kind: 'file' }
  /** The diff is not loaded yet. */
  | { kind: 'unloaded'; lines: number }
  /** A text instead of lines. `offers` names what its button shows. */
  | { kind: 'note'; text: string; offers?: 'file' | 'whole' }
  | { kind: 'hunk'; hunk: DiffHunk; place: number }
  | { kind: 'rows'; hunk: DiffHunk; rows: DiffRow[]; place: number }
  | { kind: 'draft'; draft: Draft }
);

export interface DiffState {
  files: readonly ReviewFile[];
  diffs: ReadonlyMap<number, FileDiffAnswer>;
  /** Files whose diff is hidden: by the reader, or because they are folded. */
  isFolded: (file: number) => boolean;
  drafts: readonly Draft[];
  view: 'unified' | 'split';
}

const FOLDS = {
  binary: 'This file is not text.',
  generated: 'The name of this file says that a program generated it.',
  large: 'This file has many changes.',
  huge: 'This file is too large to be shown here.',
} as const;

/** How many rows are drawn together: few enough to be quick, but enough to keep the number of pieces small. */
const TOGETHER = 24;

export function listItems(state: DiffState): DiffItem[] {
  const items: DiffItem[] = [];
  for (const [file, it] of state.files.entries()) {
    items.push({ key: `${file}`, file, kind: 'file' });
    const drafts = state.drafts.filter((draft) => draft.path === it.path);
    if (state.isFolded(file)) {
      if (it.fold === 'binary' || it.fold === 'huge') items.push(note(file, FOLDS[it.fold]));
      else if (it.fold) items.push({ ...note(file, FOLDS[it.fold]), offers: 'file' });
      for (const draft of drafts) items.push(toItem(file, draft));
      continue;
    }
    const diff = state.diffs.get(file);
    if (diff) items.push(...listFile(file, diff, drafts, state.view));
    else {
      items.push({ key: `${file} wait`, file, kind: 'unloaded', lines: estimateLines(it) });
      for (const draft of drafts) items.push(toItem(file, draft));
    }
  }
  return items;
}

function listFile(
  file: number,
  { hunks, omitted, reason }: FileDiffAnswer,
  drafts: readonly Draft[],
  view: DiffState['view'],
): DiffItem[] {
  if (reason !== undefined) return [note(file, reason)];
  const items: DiffItem[] = [];
  const left = new Set(drafts);
  for (const [place, hunk] of hunks.entries()) {
    items.push({ key: `${file} ${place}`, file, kind: 'hunk', hunk, place });
    let rows: DiffRow[] = [];
    const flush = () => {
      if (rows.length === 0) return;
      const key = `${file} ${place} ${view} ${rows[0]?.key}`;
      items.push({ key, file, kind: 'rows', hunk, rows, place });
      rows = [];
    };
    for (const row of view === 'split' ? listSplit(hunk) : listUnified(hunk)) {
      rows.push(row);
      const here = [...left].filter((draft) => isAbout(draft, row));
      if (here.length > 0 || rows.length >= TOGETHER) flush();
      for (const draft of here) {
        left.delete(draft);
        items.push(toItem(file, draft));
      }
    }
    flush();
  }
  // The line of a remark may be gone because the branch moved on. The remark is not lost.
  for (const draft of left) items.push(toItem(file, draft));
  if (omitted > 0) {
    items.push({ ...note(file, `${omitted} more lines are not shown.`), offers: 'whole' });
  }
  return items;
}

const isAbout = ({ side, line }: Draft, { left, right }: DiffRow) =>
  side === 'new' ? right?.line === line : left?.line === line;

const note = (file: number, text: string) =>
  ({ key: `${file} note`, file, kind: 'note', text }) as const;

const toItem = (file: number, draft: Draft): DiffItem => ({
  key: `${file} draft ${draft.key}`,
  file,
  kind: 'draft',
  draft,
});

/** Estimates the lines of a diff. Each change has some unchanged lines around it. */
const estimateLines = ({ added, removed }: ReviewFile) =>
  Math.max(3, Math.min((added ?? 0) + (removed ?? 0), 3000) + 4);

const ROW = 20;
const HEIGHTS = { file: 44, note: 56, hunk: 28, draft: 132 } as const;

/** The height of a piece before it is drawn, in pixels. `columns` is how many characters fit into a line. */
export function estimateHeight(item: DiffItem | undefined, columns: number): number {
  if (!item) return 0;
  switch (item.kind) {
    case 'unloaded':
      return item.lines * ROW + HEIGHTS.hunk;
    case 'rows':
      return item.rows.reduce((sum, row) => sum + linesOf(row, columns) * ROW, 0);
    default:
      return HEIGHTS[item.kind];
  }
}

const linesOf = ({ left, right }: DiffRow, columns: number) =>
  Math.max(1, ...[left, right].map((it) => Math.ceil((it?.text.length ?? 0) / columns)));
