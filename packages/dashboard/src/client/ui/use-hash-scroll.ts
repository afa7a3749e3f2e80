import { useEffect } from 'react';

/** An address may name a place on the page that is there only once its answer is. */
export function useHashScroll(isThere: boolean): void {
  useEffect(() => {
    if (!isThere) return;
    const id = decodeURIComponent(window.location.hash.slice(1));
    if (id !== '') document.getElementById(id)?.scrollIntoView();
  }, [isThere]);
}
