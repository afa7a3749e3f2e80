/** As much of `process` as is needed to be told that it should end. */
export interface Signalled {
  on(name: NodeJS.Signals, listener: () => void): void;
  exit(code: number): void;
  /** Milliseconds since any moment. */
  now(): number;
}

/** What a shell says of a program that a signal ended. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** One Ctrl-C may come twice at once: from the terminal, and from npm, which hands it on. */
const SAME_PRESS_MS = 500;

/**
 * Aborted when somebody asks this process to end; from then on it does so in order. Whoever asks again
 * does not want to wait for that: the process exits at once. A terminal that is closed may say so more
 * than once, so SIGHUP counts only the first time.
 */
export function createStopSignal(process: Signalled): AbortSignal {
  const controller = new AbortController();
  let askedAt: number | undefined;
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (askedAt === undefined) {
        askedAt = process.now();
        controller.abort(`stopped by ${name}`);
      } else if (name !== 'SIGHUP' && process.now() - askedAt >= SAME_PRESS_MS) {
        process.exit(EXIT_CODES[name]);
      }
    });
  }
  return controller.signal;
}

/** Resolves when the signal is aborted, or at once if it is already. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
