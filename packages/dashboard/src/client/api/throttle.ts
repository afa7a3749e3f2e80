export interface Throttle {
  /** Acts at once, then at most once per interval. The last call is never lost. */
  call(key: string): void;
  /** Acts at once for every key that waits. */
  flush(): void;
}

/** Acts for each key at most once per interval. */
export function createThrottle(
  paceOf: (key: string) => number,
  act: (key: string) => void,
): Throttle {
  const waiting = new Map<string, { timer: number; isAskedAgain: boolean }>();
  const run = (key: string) => {
    const timer = window.setTimeout(() => {
      const isAskedAgain = waiting.get(key)?.isAskedAgain;
      waiting.delete(key);
      if (isAskedAgain) run(key);
    }, paceOf(key));
    waiting.set(key, { timer, isAskedAgain: false });
    act(key);
  };
  return {
    call(key) {
      const known = waiting.get(key);
      if (known) known.isAskedAgain = true;
      else run(key);
    },
    flush() {
      for (const [key, { timer, isAskedAgain }] of [...waiting]) {
        if (!isAskedAgain) continue;
        window.clearTimeout(timer);
        run(key);
      }
    },
  };
}
