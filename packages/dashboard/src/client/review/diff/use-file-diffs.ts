import type { FileDiffAnswer, ReviewAnswer } from '@saga-ai/types/screens/review/review';
import { useCallback, useEffect, useRef, useState } from 'react';
import { fetchFileDiff } from '../review-queries.ts';

const AT_ONCE = 4;

export interface FileDiffs {
  diffs: ReadonlyMap<number, FileDiffAnswer>;
  /** Loads files, the first one first. Drops earlier requests for files that are no longer on the screen. */
  want(files: readonly number[]): void;
  /** Loads all lines of a file that is shown in part. */
  wantWhole(file: number): void;
}

/**
 * Returns the diffs of the files that were on the screen. Other commits need another instance of the calling component.
 */
export function useFileDiffs({ id, from, to }: ReviewAnswer): FileDiffs {
  const [diffs, setDiffs] = useState<ReadonlyMap<number, FileDiffAnswer>>(new Map());
  const work = useRef({ wanted: [] as number[], begun: new Set<number>(), going: 0 });
  const stop = useRef(new AbortController());
  useEffect(() => {
    stop.current = new AbortController();
    work.current = { wanted: [], begun: new Set(), going: 0 };
    return () => stop.current.abort();
  }, []);

  const load = useCallback(
    async (file: number, isWhole: boolean) => {
      const { signal } = stop.current;
      const own = work.current;
      own.going += 1;
      const diff = await fetchFileDiff(id, { from, to }, file, isWhole, signal).catch(
        (error: unknown): FileDiffAnswer => ({
          hunks: [],
          omitted: 0,
          reason: error instanceof Error ? error.message : String(error),
        }),
      );
      own.going -= 1;
      if (signal.aborted) return;
      setDiffs((before) => new Map(before).set(file, diff));
    },
    [id, from, to],
  );
  const pump = useCallback(() => {
    const own = work.current;
    while (own.going < AT_ONCE) {
      const file = own.wanted.find((it) => !own.begun.has(it));
      if (file === undefined) return;
      own.begun.add(file);
      void load(file, false).then(pump);
    }
  }, [load]);
  const want = useCallback(
    (files: readonly number[]) => {
      work.current.wanted = [...files];
      pump();
    },
    [pump],
  );
  const wantWhole = useCallback((file: number) => void load(file, true), [load]);
  return { diffs, want, wantWhole };
}
