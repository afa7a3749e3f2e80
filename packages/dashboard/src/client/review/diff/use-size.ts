import { type RefObject, useLayoutEffect, useState } from 'react';

/** The width and the height of an element, in pixels. */
export function useSize(element: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 800, height: 600 });
  useLayoutEffect(() => {
    const observed = element.current;
    if (!observed) return;
    const observer = new ResizeObserver(() =>
      setSize({ width: observed.clientWidth, height: observed.clientHeight }),
    );
    observer.observe(observed);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
