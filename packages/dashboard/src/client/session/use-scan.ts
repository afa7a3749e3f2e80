import type { SessionEvent } from '@saga-ai/types/run/event';
import { useCallback, useEffect, useRef, useState } from 'react';
import { scanLog } from './scan-log.ts';

export type ScanState = { at: number } | 'nothing' | null;

/** A search through what is not in memory; it can be stopped, and only one runs at a time. */
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
        // Stopped by the reader, or the server is away, which the page's corner tells.
        setState(null);
      }
    },
    [session],
  );
  useEffect(() => () => running.current?.abort(), []);
  return { state, scan, stop };
}
