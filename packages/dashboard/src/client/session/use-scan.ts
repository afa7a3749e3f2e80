import type { SessionEvent } from '@saga-ai/types/run/event';
import { useCallback, useEffect, useRef, useState } from 'react';
import { scanLog } from './scan-log.ts';

export type ScanState = { at: number } | 'nothing' | null;

/** Searches the part of the log that is not in memory. The search can be stopped; only one runs at a time. */
export function useScan(session: string) {
  const [state, setState] = useState<ScanState>(null);
  const running = useRef<AbortController>(undefined);
  const stop = useCallback(() => {
    running.current?.abort();
    setState(null);
  }, []);
  const scan = useCallback(
    async (
      before: number,
      matches: (event: SessionEvent) => boolean,
      onFound: (offset: number) => Promise<void>,
    ) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      try {
        const found = await scanLog({
          session,
          before,
          matches,
          signal: controller.signal,
          onProgress: (at) => setState({ at }),
        });
        setState(found === undefined ? 'nothing' : null);
        if (found !== undefined) await onFound(found);
      } catch {
        // The reader stopped the search, or the server is unreachable, which the corner of the page shows.
        setState(null);
      }
    },
    [session],
  );
  useEffect(() => () => running.current?.abort(), []);
  return { state, scan, stop };
}
