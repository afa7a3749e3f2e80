import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Another page takes the focus, so that keys and screen readers go on there. */
export function usePageFocus(): void {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [path]);
}
