import type { SessionSummary } from '@saga-ai/types/screens/dashboard';
import { useCallback, useEffect, useRef, useState } from 'react';
import { loadWindow } from './load-window.ts';
import {
  appendWindow,
  type LogRange,
  prependWindow,
  type Subjects,
  startRange,
  WINDOW,
} from './log-range.ts';

/** How much of the earlier log is loaded without a request of the reader. Most logs are then complete. */
const UNASKED = 3 * 1024 * 1024;

/** The part of a log that a jump opened. Its rows are independent of those of the view before. */
export interface LogView {
  /** The number of the view, which changes with each jump. */
  number: number;
  /** True if the reader wants to see the end, false if the first row. */
  startsAtEnd: boolean;
}

export interface Log {
  range: LogRange | undefined;
  view: LogView;
  error: Error | undefined;
  loadBefore: () => void;
  loadAfter: () => void;
  /** Drops all windows and starts at an offset; -1 is the end. */
  goTo: (offset: number) => Promise<void>;
}

/** A running session is followed from its end; an ended session is read from its beginning. */
export function useLog(
  { session, outputSize, state }: SessionSummary,
  subjects: Subjects,
  at: number | undefined,
): Log {
  const start = useRef(at ?? (state === 'running' ? -1 : 0)).current;
  const [range, setRange] = useState<LogRange>();
  const [view, setView] = useState<LogView>({ number: 0, startsAtEnd: start === -1 });
  const [error, setError] = useState<Error>();
  const current = useRef<LogRange>(undefined);
  const pending = useRef<Promise<void>>(undefined);
  const set = useCallback((next: LogRange) => {
    current.current = next;
    setRange(next);
  }, []);

  /** Loads one window at a time, because windows must be adjacent. Requests from scrolling may be dropped. */
  const load = useCallback((work: () => Promise<void>, mayWait = false): Promise<void> => {
    if (pending.current && !mayWait) return pending.current;
    const done = (pending.current ?? Promise.resolve())
      .then(work)
      .then(
        () => setError(undefined),
        (reason: unknown) => setError(reason instanceof Error ? reason : new Error(String(reason))),
      )
      .finally(() => {
        if (pending.current === done) pending.current = undefined;
      });
    pending.current = done;
    return done;
  }, []);

  const goTo = useCallback(
    (offset: number) =>
      load(async () => {
        set(startRange(await loadWindow(session, offset, WINDOW), subjects));
        setView(({ number }) => ({ number: number + 1, startsAtEnd: offset === -1 }));
      }, true),
    [session, subjects, load, set],
  );

  const loadBefore = useCallback(
    () =>
      load(async () => {
        const before = current.current;
        if (!before || before.from === 0) return;
        const bytes = Math.min(WINDOW, before.from);
        const answer = await loadWindow(session, before.from - bytes, bytes);
        set(prependWindow(before, answer, subjects));
      }),
    [session, subjects, load, set],
  );

  const loadAfter = useCallback(
    () =>
      load(async () => {
        const before = current.current;
        if (!before) return;
        const answer = await loadWindow(session, before.to, WINDOW);
        set(
          answer.to > before.to
            ? appendWindow(before, answer, subjects)
            : { ...before, size: answer.size },
        );
      }),
    [session, subjects, load, set],
  );

  useEffect(() => {
    void goTo(start);
  }, [goTo, start]);

  const isAtEnd = range !== undefined && range.to >= range.size;
  useEffect(() => {
    if (isAtEnd && outputSize !== null && outputSize > range.to) void loadAfter();
  }, [isAtEnd, outputSize, range, loadAfter]);

  useEffect(() => {
    if (!range || range.to - range.from >= UNASKED) return;
    if (isAtEnd && range.from > 0) void loadBefore();
    else if (range.from === 0 && !isAtEnd) void loadAfter();
  }, [isAtEnd, range, loadBefore, loadAfter]);

  return { range, view, error, loadBefore, loadAfter, goTo };
}
