/** Calls the action for a key at once, then at most once per interval. The last call is never lost. */
export function createThrottle(
  paceOf: (key: string) => number,
  act: (key: string) => void,
): (key: string) => void {
  const waiting = new Map<string, boolean>();
  const run = (key: string) => {
    waiting.set(key, false);
    act(key);
    window.setTimeout(() => {
      const isAskedAgain = waiting.get(key);
      waiting.delete(key);
      if (isAskedAgain) run(key);
    }, paceOf(key));
  };
  return (key) => {
    if (waiting.has(key)) waiting.set(key, true);
    else run(key);
  };
}
