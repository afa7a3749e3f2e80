/** Node fires a timer that is longer than this at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls `act` once: with `'time'` at the deadline (milliseconds since the epoch), or with `'stop'`
 * when the signal is aborted, whichever comes first. A deadline may be infinite. Disposed before that, it never calls it.
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
