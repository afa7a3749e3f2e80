import { useEffect, useState } from 'react';

/** Shows nothing at first: answers arrive within milliseconds, and a short message would only flicker. */
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
