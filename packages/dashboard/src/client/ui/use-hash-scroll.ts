import { useEffect } from 'react';

/** Scrolls to the place that the address names, once the answer with that place has arrived. */
export function useHashScroll(isThere: boolean): void {
  useEffect(() => {
    if (!isThere) return;
    const id = decodeURIComponent(window.location.hash.slice(1));
    if (id !== '') document.getElementById(id)?.scrollIntoView();
  }, [isThere]);
}
