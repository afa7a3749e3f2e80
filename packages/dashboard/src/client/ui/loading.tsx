import { useEffect, useState } from 'react';

/** Answers come within milliseconds, so nothing is shown at first: a flicker is worse than a wait. */
export function Loading() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(true), 250);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <div role="status" className="px-2 py-16 text-center text-sm text-faint">
      {isLate ? 'Loading …' : ''}
    </div>
  );
}
