export interface Throttle {
  /** Acts at once, or after the key's delay, then at most once per interval. The last call is never lost. */
  call(key: string): void;
  /** Acts at once for every key that waits. */
  flush(): void;
}

/** Acts for each key at most once per interval. With a delay, calls that come together count as one. */
export function createThrottle(
  paceOf: (key: string) => number,
  act: (key: string) => void,
  delayOf: (key: string) => number = () => 0,
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
  const begin = (key: string) => {
    const delay = delayOf(key);
    if (delay === 0) return run(key);
    const timer = window.setTimeout(() => run(key), delay);
    waiting.set(key, { timer, isAskedAgain: true });
  };
  return {
    call(key) {
      const known = waiting.get(key);
      if (known) known.isAskedAgain = true;
      else begin(key);
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
