import type { ReviewFile } from '@saga-ai/types/screens/review/review';
import { useMemo, useSyncExternalStore } from 'react';
import { openStored } from './stored.ts';

export interface ViewedMarks {
  has(file: ReviewFile): boolean;
  set(file: ReviewFile, isViewed: boolean): void;
}

const MOST = 5000;

/** Which files the reader has viewed. A mark is about the content: it is gone when the file changes. */
export function useViewedMarks(id: string): ViewedMarks {
  const stored = useMemo(() => openStored(`saga-viewed ${id}`, isText), [id]);
  const marks = useSyncExternalStore(stored.subscribe, stored.read);
  return useMemo(() => {
    const known = new Set(marks);
    return {
      has: (file) => known.has(markOf(file)),
      set(file, isViewed) {
        const mark = markOf(file);
        const others = stored.read().filter((it) => it !== mark);
        stored.write(isViewed ? [...others, mark].slice(-MOST) : others);
      },
    };
  }, [marks, stored]);
}

const markOf = ({ content, path, change }: ReviewFile) => `${content} ${change} ${path}`;

const isText = (value: unknown): value is string => typeof value === 'string';
