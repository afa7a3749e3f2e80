import type { ReviewFile } from '@saga-ai/types/screens/review/review';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { Counts, FilePath } from './diff/file-head.tsx';
import type { ViewedMarks } from './viewed-marks.ts';

interface FileListProps {
  files: readonly ReviewFile[];
  marks: ViewedMarks;
  current: number;
  /** The number of remarks on a file that are not sent. */
  countDrafts: (path: string) => number;
  show: (file: number) => void;
}

const ROW = 28;

/** All files of a review, with what changed in each. */
export function FileList({ files, marks, current, countDrafts, show }: FileListProps) {
  const scroller = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: files.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  useEffect(() => {
    rows.scrollToIndex(current, { align: 'auto' });
  }, [current, rows]);
  return (
    <nav ref={scroller} aria-label="Files" className="min-h-0 overflow-y-auto max-lg:max-h-48">
      <ul className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const file = files[index];
          if (!file) return null;
          const isViewed = marks.has(file);
          const drafts = countDrafts(file.path);
          return (
            <li
              key={index}
              className="absolute inset-x-0 top-0"
              style={{ height: ROW, transform: `translateY(${start}px)` }}
            >
              <button
                type="button"
                data-row
                aria-current={index === current ? 'true' : undefined}
                onClick={() => show(index)}
                className={`row flex h-full w-full items-center gap-2 px-3 text-left text-xs ${index === current ? 'bg-plain-wash' : ''}`}
              >
                <span aria-hidden="true" className="w-3 shrink-0 font-glyph text-done">
                  {isViewed ? '✓' : ''}
                </span>
                <span className="min-w-0 grow">
                  <FilePath path={file.path} isMuted={isViewed} />
                </span>
                {isViewed ? <span className="sr-only">viewed</span> : null}
                {drafts > 0 ? (
                  <span className="shrink-0 rounded-full bg-waiting-wash px-1.5 text-waiting">
                    {drafts}
                    <span className="sr-only"> not sent</span>
                  </span>
                ) : null}
                <Counts file={file} />
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
