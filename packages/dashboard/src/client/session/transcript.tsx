import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button } from '../ui/button.tsx';
import { EntryRow } from './entry-row.tsx';
import type { LogEntry } from './log-entry.ts';
import { findResult, type LogRange } from './log-range.ts';

export interface TranscriptHandle {
  show: (index: number, align?: 'start' | 'center') => void;
}

interface TranscriptProps {
  handle: Ref<TranscriptHandle>;
  entries: readonly LogEntry[];
  range: LogRange;
  found: LogEntry | undefined;
  loadBefore: () => void;
  loadAfter: () => void;
  /** Jumps to the end of the log, which may not be in memory. */
  goToEnd: () => void;
  isLive: boolean;
  startsAtEnd: boolean;
  seen: number;
  noteSeen: (end: number) => void;
}

const NEAR = 30;

/**
 * Follows the end of the log while the reader is at the end; otherwise it does not scroll. Each view of the log has a
 * transcript of its own, because a transcript that stayed would treat the rows after a jump as appended rows.
 */
export function Transcript(props: TranscriptProps) {
  const { handle, entries, range, found, loadBefore, loadAfter, goToEnd } = props;
  const { isLive, startsAtEnd, seen, noteSeen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [isAway, setAway] = useState(false);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (entries[index]?.kind === 'heading' ? 44 : 25),
    getItemKey: (index) => entries[index]?.key ?? index,
    overscan: 20,
    // An ended session is read from its beginning, and stays there while its rows get their height.
    anchorTo: isLive || range.from > 0 ? 'end' : 'start',
    followOnAppend: isLive,
    scrollEndThreshold: 40,
    paddingStart: 8,
    paddingEnd: 16,
    onChange: (it) => setAway(!it.isAtEnd(40)),
  });
  const isWhole = range.to >= range.size;
  const end = range.to;
  /** The row to which the reader jumped. It stays in its place until the reader scrolls. */
  const held = useRef<{ key: string; align: 'start' | 'center' }>(undefined);
  const release = () => {
    held.current = undefined;
  };
  useImperativeHandle(handle, () => ({
    show: (index, align = 'start') => {
      const key = entries[index]?.key;
      held.current = key === undefined ? undefined : { key, align };
      rows.scrollToIndex(index, { align });
    },
  }));
  // The virtualizer scrolls to the number of a row. If rows are loaded above it meanwhile, another row gets that
  // number. If rows are appended, a reader who was at the end is moved to the end again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other rows can move the one that is held
  useLayoutEffect(() => {
    const { key, align } = held.current ?? {};
    const index = key === undefined ? -1 : entries.findIndex((entry) => entry.key === key);
    if (index !== -1) rows.scrollToIndex(index, { align: align ?? 'start' });
  }, [entries]);
  useEffect(() => {
    if (!found) held.current = undefined;
  }, [found]);
  const toggle = useCallback((key: string) => {
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the view is opened
  useLayoutEffect(() => {
    if (startsAtEnd) rows.scrollToEnd();
  }, []);
  const items = rows.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (isAway && first < NEAR && range.from > 0) loadBefore();
  }, [isAway, first, range, loadBefore]);
  useEffect(() => {
    if (!isWhole && last > entries.length - NEAR) loadAfter();
  }, [isWhole, last, entries.length, loadAfter]);
  useEffect(() => {
    if (!isAway) noteSeen(end);
  }, [isAway, end, noteSeen]);
  const hasNew = isLive && isAway && Math.max(end, range.size) > seen;
  return (
    <div className="relative min-h-0 min-w-0 grow bg-panel">
      <div
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label="Transcript"
        onWheel={release}
        onPointerDown={release}
        onKeyDown={release}
        className="h-full overflow-y-auto overflow-x-hidden [overflow-anchor:none]"
      >
        <div className="relative w-full" style={{ height: rows.getTotalSize() }}>
          {items.map((item) => {
            const entry = entries[item.index];
            if (!entry) return null;
            return (
              <div
                key={item.key}
                data-index={item.index}
                ref={rows.measureElement}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <EntryRow
                  entry={entry}
                  result={entry.kind === 'tool' ? findResult(range, entry.call.id) : undefined}
                  // A match may be in the hidden part of the row.
                  isOpen={open.has(entry.key) !== (entry === found && entry.kind === 'tool')}
                  isLive={isLive}
                  isFound={entry === found}
                  toggle={toggle}
                />
              </div>
            );
          })}
        </div>
        {/* Inside the scrolling part, so that the mouse wheel also works above the button. */}
        {isAway ? (
          <div className="sticky bottom-4 flex h-0 items-end justify-center">
            <Button
              look={hasNew ? 'strong' : 'plain'}
              className="shrink-0 shadow-lg"
              onClick={() => {
                release();
                if (isWhole) rows.scrollToEnd();
                else goToEnd();
              }}
            >
              ↓ {hasNew ? 'New below' : 'To the end'}
            </Button>
          </div>
        ) : null}
      </div>
    </div>
  );
}
