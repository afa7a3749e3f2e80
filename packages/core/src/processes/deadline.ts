/** Node fires a timer at once if it is longer than this, about 24 days. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls `act` once: with `'time'` at the deadline (milliseconds since the epoch), or with `'stop'`
 * when the signal is aborted, whichever comes first. The deadline may be infinite. After disposal,
 * `act` is not called.
 */
export function armDeadline(
  deadline: number,
  stop: AbortSignal | undefined,
  act: (cause: 'time' | 'stop') => void,
): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const disarm = () => {
    clearTimeout(timer);
    stop?.removeEventListener('abort', onStop);
  };
  const fire = (cause: 'time' | 'stop') => {
    disarm();
    act(cause);
  };
  const onStop = () => fire('stop');
  const wait = () => {
    if (deadline === Number.POSITIVE_INFINITY) return;
    const left = deadline - Date.now();
    timer = setTimeout(
      () => (left > LONGEST_TIMER_MS ? wait() : fire('time')),
      Math.min(Math.max(0, left), LONGEST_TIMER_MS),
    );
  };
  if (stop?.aborted) act('stop');
  else {
    stop?.addEventListener('abort', onStop);
    wait();
  }
  return { [Symbol.dispose]: disarm };
}

/** Waits until a time (milliseconds since the epoch), however far away, or until the signal is aborted. */
export function pauseUntil(time: number, stop: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    armDeadline(time, stop, () => resolve());
  });
}
