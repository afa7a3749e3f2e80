import type { SessionEvent } from '@saga-ai/types/run/event';
import { loadWindow } from './load-window.ts';

const STEP = 1024 * 1024;

export interface Scan {
  session: string;
  /** Where what is in memory begins. */
  before: number;
  matches: (event: SessionEvent) => boolean;
  onProgress: (offset: number) => void;
  signal: AbortSignal;
}

/** Looks through what is not in memory, the latest first; says in which window it was found. */
export async function scanLog(scan: Scan): Promise<number | undefined> {
  for (let end = scan.before; end > 0; ) {
    const start = Math.max(0, end - STEP);
    scan.onProgress(start);
    const answer = await loadWindow(scan.session, start, end - start, scan.signal);
    const at = answer.events.findLastIndex(scan.matches);
    if (at !== -1) {
      // Offsets of single events are not told; lines are about equally long.
      const share = at / Math.max(1, answer.events.length);
      return Math.max(0, Math.floor(answer.from + share * (answer.to - answer.from)) - 16_384);
    }
    end = start;
  }
  return undefined;
}
