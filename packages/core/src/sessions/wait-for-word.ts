import type { SessionEvent } from '@saga-ai/types/run/event';
import { parseSessionEvent } from '@saga-ai/types/run/session-event';
import { LineFollower } from '../files/line-follower.ts';
import { watchFile } from './watch-file.ts';

/** How long to wait until a worker is under way. It usually needs a second, but much longer on a busy machine. */
const PATIENCE_MS = 60_000;
/** After preflight a worker may wait for a slow remote before it has its worktree. */
const WORKTREE_PATIENCE_MS = 10_000;

/** How far a worker that was just started has come. */
export type Beginning =
  /** The worker has passed preflight and usually has its worktree. `end` is set if the worker has ended already. */
  | { state: 'started'; end?: WorkerEndEvent }
  /** The worker ended before it had a worktree. */
  | { state: 'ended'; end: WorkerEndEvent }
  /** The worker lives and has not passed preflight yet. */
  | { state: 'starting' }
  /** The worker is gone and wrote no final event. */
  | { state: 'gone' };

export type WorkerEndEvent = SessionEvent & { type: 'worker:end' };

export interface Patience {
  forWordMs?: number;
  forWorktreeMs?: number;
}

/** Whether the event says that the worker holds its story and has a worktree, or that an epic has begun. */
export function isUnderWay({ type }: SessionEvent): boolean {
  return type === 'worktree:found' || type === 'worktree:created' || type === 'epic:start';
}

/**
 * Waits until the worker is under way, has ended or is gone. A worker that dies at once must not count
 * as started, and a slow one must not count as dead.
 */
export async function waitForWord(
  outputFile: string,
  isThere: () => Promise<boolean>,
  { forWordMs = PATIENCE_MS, forWorktreeMs = WORKTREE_PATIENCE_MS }: Patience = {},
): Promise<Beginning> {
  const begun = Date.now();
  const output = new LineFollower(outputFile);
  const events: SessionEvent[] = [];
  let ready: number | undefined;
  using changes = watchFile(outputFile);
  for (;;) {
    events.push(...readEvents(output));
    const found = judge(events);
    if (found !== 'ready' && found !== 'silent') return found;
    if (found === 'ready') ready ??= Date.now();
    // The worker may have written after the last look and before it exited.
    if (!(await isThere())) return judgeGone([...events, ...readEvents(output)]);
    const now = Date.now();
    if (ready !== undefined && now - ready >= forWorktreeMs) return { state: 'started' };
    if (ready === undefined && now - begun >= forWordMs) return { state: 'starting' };
    await changes.next();
  }
}

function judgeGone(events: readonly SessionEvent[]): Beginning {
  const found = judge(events);
  return found === 'ready' || found === 'silent' ? { state: 'gone' } : found;
}

function judge(events: readonly SessionEvent[]): Beginning | 'ready' | 'silent' {
  const end = events.find((it) => it.type === 'worker:end') as WorkerEndEvent | undefined;
  if (events.some(isUnderWay)) return { state: 'started', ...(end ? { end } : {}) };
  if (end) return { state: 'ended', end };
  return events.some((it) => it.type === 'preflight:passed') ? 'ready' : 'silent';
}

/** Reads all events that were written since the last call. */
function readEvents(output: LineFollower): SessionEvent[] {
  const events: SessionEvent[] = [];
  try {
    for (let lines = output.readOn(); lines.length > 0; lines = output.readOn()) {
      events.push(...lines.flatMap((line) => parseSessionEvent(line) ?? []));
    }
  } catch {
    // A file that cannot be read says nothing more. Whether the worker lives is asked anyway.
  }
  return events;
}
