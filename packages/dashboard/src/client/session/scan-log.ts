import type { SessionEvent } from '@saga-ai/types/run/event';
import { loadWindow } from './load-window.ts';

const STEP = 1024 * 1024;

export interface Scan {
  session: string;
  /** The offset at which the part in memory begins. */
  before: number;
  matches: (event: SessionEvent) => boolean;
  onProgress: (offset: number) => void;
  signal: AbortSignal;
}

/** Searches the part that is not in memory, the latest window first. Returns the window with the match. */
export async function scanLog(scan: Scan): Promise<number | undefined> {
  for (let end = scan.before; end > 0; ) {
    const start = Math.max(0, end - STEP);
    scan.onProgress(start);
    const answer = await loadWindow(scan.session, start, end - start, scan.signal);
    const at = answer.events.findLastIndex(scan.matches);
    if (at !== -1) {
      // The offset of a single event is not known, so it is estimated: lines have about the same length.
      const share = at / Math.max(1, answer.events.length);
      return Math.max(0, Math.floor(answer.from + share * (answer.to - answer.from)) - 16_384);
    }
    end = start;
  }
  return undefined;
}
