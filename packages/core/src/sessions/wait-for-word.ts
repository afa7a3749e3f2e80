import { readFileSync } from 'node:fs';
import type { SessionEvent } from '@saga-ai/types/run/event';
import { parseSessionEvent } from '@saga-ai/types/run/session-event';
import { watchFile } from './watch-file.ts';

/** A worker needs a second as a rule. This is for a machine that has much else to do. */
const PATIENCE_MS = 60_000;
/** One that has all it needs may still wait for a remote before its worktree stands. */
const WORKTREE_PATIENCE_MS = 10_000;

/** What became of a worker that was just started. */
export type Beginning =
  /** It has all it needs, and as a rule its worktree; `end` if it is over already. */
  | { state: 'started'; end?: SessionEnd }
  /** It said its last word before it was under way. */
  | { state: 'ended'; end: SessionEnd }
  /** It lives and has not spoken yet. */
  | { state: 'starting' }
  /** It is gone without a word. */
  | { state: 'gone' };

export type SessionEnd = SessionEvent & { type: 'worker:end' };

export interface Patience {
  forWordMs?: number;
  forWorktreeMs?: number;
}

/** From here on a worker has its story to itself and a place to work in. */
export function isUnderWay({ type }: SessionEvent): boolean {
  return type === 'worktree:found' || type === 'worktree:created';
}

/**
 * Waits until the worker is under way, has ended or is gone. A worker that dies at once must not look
 * like one that was started, nor one on a slow machine like one that died.
 */
export async function waitForWord(
  outputFile: string,
  isThere: () => Promise<boolean>,
  { forWordMs = PATIENCE_MS, forWorktreeMs = WORKTREE_PATIENCE_MS }: Patience = {},
): Promise<Beginning> {
  const begun = Date.now();
  let ready: number | undefined;
  using changes = watchFile(outputFile);
  for (;;) {
    const found = judge(readEvents(outputFile));
    if (found !== 'ready' && found !== 'silent') return found;
    if (found === 'ready') ready ??= Date.now();
    if (!(await isThere())) return judgeGone(outputFile);
    const now = Date.now();
    if (ready !== undefined && now - ready >= forWorktreeMs) return { state: 'started' };
    if (ready === undefined && now - begun >= forWordMs) return { state: 'starting' };
    await changes.next();
  }
}

/** It may have spoken between our look at the file and its end. */
function judgeGone(outputFile: string): Beginning {
  const found = judge(readEvents(outputFile));
  return found === 'ready' || found === 'silent' ? { state: 'gone' } : found;
}

function judge(events: readonly SessionEvent[]): Beginning | 'ready' | 'silent' {
  const end = events.find((it) => it.type === 'worker:end') as SessionEnd | undefined;
  if (events.some(isUnderWay)) return { state: 'started', ...(end ? { end } : {}) };
  if (end) return { state: 'ended', end };
  return events.some((it) => it.type === 'preflight:passed') ? 'ready' : 'silent';
}

function readEvents(file: string): SessionEvent[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.flatMap((line) => parseSessionEvent(line) ?? []);
  } catch {
    // Not there yet.
    return [];
  }
}
