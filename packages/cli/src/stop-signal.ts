/** The part of `process` that `createStopSignal` needs. */
export interface Signalled {
  on(name: NodeJS.Signals, listener: () => void): void;
  exit(code: number): void;
  /** Milliseconds since some fixed moment. */
  now(): number;
}

/** The exit codes that a shell reports for a program ended by a signal. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** What a user reads as the reason. */
const REASONS = {
  SIGINT: 'stopped with Ctrl-C (SIGINT)',
  SIGTERM: 'stopped on request (SIGTERM)',
  SIGHUP: 'stopped: its terminal was closed (SIGHUP)',
} as const;

/** One Ctrl-C can arrive twice within this time: from the terminal, and from npm, which passes it on. */
const SAME_PRESS_MS = 500;

/**
 * Returns a signal that is aborted at the first SIGTERM, SIGINT or SIGHUP; the process then ends cleanly.
 * At a second SIGTERM or SIGINT the process exits at once. A second SIGHUP is ignored, because a closing
 * terminal can send several.
 */
export function createStopSignal(process: Signalled): AbortSignal {
  const controller = new AbortController();
  let askedAt: number | undefined;
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (askedAt === undefined) {
        askedAt = process.now();
        controller.abort(REASONS[name]);
      } else if (name !== 'SIGHUP' && process.now() - askedAt >= SAME_PRESS_MS) {
        process.exit(EXIT_CODES[name]);
      }
    });
  }
  return controller.signal;
}

/** Resolves when the signal is aborted, or at once if it is aborted already. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
