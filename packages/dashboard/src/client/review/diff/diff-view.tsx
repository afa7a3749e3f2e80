import type { ReviewAnswer } from '@saga-ai/types/screens/review/review';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Button } from '../../ui/button.tsx';
import type { Drafts } from '../drafts.ts';
import type { ViewedMarks } from '../viewed-marks.ts';
import { type DiffItem, estimateHeight, listItems } from './diff-items.ts';
import { DraftForm } from './draft-form.tsx';
import { FileHead, ViewedBox } from './file-head.tsx';
import { LineRows } from './line-rows.tsx';
import { useCursor } from './use-cursor.ts';
import { useFileDiffs } from './use-file-diffs.ts';
import { useSize } from './use-size.ts';

export interface DiffHandle {
  showFile: (file: number) => void;
  stepFile: (step: 1 | -1) => void;
  stepHunk: (step: 1 | -1) => void;
  /** Begins a remark on the line at the cursor. */
  remark: () => void;
  toggleViewed: () => void;
}

interface DiffViewProps {
  handle: Ref<DiffHandle>;
  answer: ReviewAnswer;
  view: 'unified' | 'split';
  marks: ViewedMarks;
  drafts: Drafts;
  mayRemark: boolean;
  onFile: (file: number) => void;
}

const LETTER = 7.25;
const NUMBERS = 96;
/** The height of the line above a file, in pixels. */
const HEAD = 36;

/** All files of a review in one list. Only what is on the screen is loaded and drawn. */
export function DiffView(props: DiffViewProps) {
  const { handle, answer, view, marks, drafts, mayRemark, onFile } = props;
  const { files } = answer;
  const scroller = useRef<HTMLDivElement>(null);
  const { diffs, want, wantWhole } = useFileDiffs(answer);
  /** The files that the reader opened or closed. Any other file is open unless it is folded or viewed. */
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map());
  const { width, height } = useSize(scroller);
  const columns = Math.max(20, ((view === 'split' ? width / 2 : width) - NUMBERS) / LETTER);

  const isFolded = useMemo(() => {
    const isShut = (file: number) => {
      const it = files[file];
      return it !== undefined && (it.fold !== undefined || marks.has(it));
    };
    return (file: number) => !(chosen.get(file) ?? !isShut(file));
  }, [files, chosen, marks]);
  const shown = drafts.all;
  const places = useMemo(() => shown.map((it) => it.key).join('\n'), [shown]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text of a draft does not move anything
  const items = useMemo(
    () => listItems({ files, diffs, isFolded, drafts: shown, view }),
    [files, diffs, isFolded, places, view],
  );
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimateHeight(items[index], columns),
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 6,
    // The last file can be scrolled to the top too, because keys and the address are about the file at the top.
    paddingEnd: files.length > 1 ? Math.max(0, height - HEAD) : 0,
  });
  const visible = rows.getVirtualItems();
  const top = rows.scrollOffset ?? 0;
  const first = visible.find((it) => it.end > top + 1);
  const current = items[first?.index ?? 0]?.file ?? 0;
  useKeepPlace(scroller, items, rows.measurementsCache, first?.index ?? 0);
  useEffect(() => onFile(current), [current, onFile]);

  const missing = [
    ...new Set(
      visible.flatMap(({ index }) => {
        const item = items[index];
        return item?.kind === 'unloaded' ? [item.file] : [];
      }),
    ),
  ];
  const missed = missing.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the list
  useEffect(() => {
    if (missing.length > 0) want(missing);
  }, [missed, want]);

  const open = (file: number, isOpen: boolean) =>
    setChosen((before) => new Map(before).set(file, isOpen));
  const setViewed = (file: number, isViewed: boolean) => {
    const it = files[file];
    if (!it) return;
    marks.set(it, isViewed);
    open(file, !isViewed && it.fold === undefined);
  };
  const show = (index: number) => rows.scrollToIndex(index, { align: 'start' });
  const showFile = (file: number) => {
    const index = items.findIndex((it) => it.kind === 'file' && it.file === file);
    if (index !== -1) show(index);
  };
  const beginRemark = (file: number, place: string) => {
    const it = files[file];
    const [, side, line] = /^(old|new) (\d+)$/.exec(place) ?? [];
    if (!it || !mayRemark || (side !== 'old' && side !== 'new')) return;
    const { from, to } = answer;
    const { path, content } = it;
    drafts.begin({ from, to, file, side, line: Number(line), path, content });
  };
  const cursor = useCursor({ items, rows, scroller, beginRemark, first: first?.index ?? 0 });
  useImperativeHandle(handle, () => ({
    showFile,
    stepFile: (step) => {
      const next = current + step;
      if (next >= 0 && next < files.length) showFile(next);
    },
    stepHunk: cursor.stepHunk,
    remark: cursor.remark,
    toggleViewed: () => {
      const it = files[current];
      if (!it) return;
      const isViewed = !marks.has(it);
      setViewed(current, isViewed);
      if (isViewed && current + 1 < files.length) showFile(current + 1);
    },
  }));

  const draw = (item: DiffItem) => {
    const it = files[item.file];
    if (!it) return null;
    switch (item.kind) {
      case 'file':
        return (
          <div className="pt-2 first:pt-0">
            <FileHead
              file={it}
              isOpen={!isFolded(item.file)}
              isViewed={marks.has(it)}
              toggle={() => open(item.file, isFolded(item.file))}
              setViewed={(isViewed) => setViewed(item.file, isViewed)}
            />
          </div>
        );
      case 'unloaded':
        return <div data-unloaded style={{ height: estimateHeight(item, columns) }} />;
      case 'note':
        return (
          <div className="flex h-14 items-center gap-3 px-4 text-sm text-faint">
            {item.text}
            {item.offers ? (
              <Button
                aria-label={`Show it: ${it.path}`}
                onClick={() =>
                  item.offers === 'whole' ? wantWhole(item.file) : open(item.file, true)
                }
              >
                Show it
              </Button>
            ) : null}
          </div>
        );
      case 'hunk':
        return (
          <div className="diff-hunk" data-place={item.key}>
            {item.hunk.heading === '' ? `line ${item.hunk.newStart}` : item.hunk.heading}
          </div>
        );
      case 'rows':
        return (
          <LineRows
            path={it.path}
            file={item.file}
            hunk={item.hunk}
            rows={item.rows}
            view={view}
            cursor={cursor.at?.file === item.file ? cursor.at.place : undefined}
          />
        );
      case 'draft': {
        // The text is not part of the items, so that typing moves nothing.
        const draft = shown.find(({ key }) => key === item.draft.key);
        return draft ? (
          <DraftForm
            draft={draft}
            drafts={drafts}
            isOutdated={draft.content !== it.content}
            maySend={mayRemark}
          />
        ) : null;
      }
    }
  };

  const file = files[current];
  return (
    <div className="relative flex min-h-0 min-w-0 grow flex-col bg-panel">
      {file ? (
        <div className="flex h-8 shrink-0 items-center gap-3 border-b border-line px-3 text-xs">
          <span className="shrink-0 text-faint">
            {current + 1} of {files.length}
          </span>
          <span className="min-w-0 grow truncate font-mono">{file.path}</span>
          {mayRemark ? (
            <span className="shrink-0 text-faint max-md:hidden">
              a line number begins a remark · ? shows the keys
            </span>
          ) : null}
          <ViewedBox
            path={file.path}
            isViewed={marks.has(file)}
            setViewed={(isViewed) => setViewed(current, isViewed)}
          />
        </div>
      ) : null}
      {/* biome-ignore lint/a11y/useSemanticElements: a region only because it scrolls */}
      <div
        ref={scroller}
        role="region"
        aria-label="Diff"
        data-diff
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
        tabIndex={0}
        className="diff min-h-0 grow overflow-y-auto overflow-x-hidden [overflow-anchor:none]"
      >
        <div className="relative w-full" style={{ height: rows.getTotalSize() }}>
          {visible.map((row) => {
            const item = items[row.index];
            if (!item) return null;
            return (
              <div
                key={row.key}
                data-index={row.index}
                ref={rows.measureElement}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${row.start}px)` }}
              >
                {draw(item)}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Keeps the visible rows in place when files above them change their height. */
function useKeepPlace(
  scroller: { current: HTMLElement | null },
  items: readonly DiffItem[],
  measured: readonly { start: number }[],
  first: number,
): void {
  const kept = useRef({ items, key: items[first]?.key, start: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    const before = kept.current;
    // A file that was not loaded before begins where its first part is now, so it need not be moved.
    const same = before.items === items ? -1 : items.findIndex((it) => it.key === before.key);
    const moved = (measured[same]?.start ?? before.start) - before.start;
    // This scrolls by the distance that the row moved, not to its old place, because the reader may have scrolled
    // meanwhile.
    if (element && moved !== 0) element.scrollTop += moved;
    kept.current = { items, key: items[first]?.key, start: measured[first]?.start ?? 0 };
  });
}
