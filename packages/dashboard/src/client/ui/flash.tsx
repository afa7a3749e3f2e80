import { type ReactNode, useEffect, useRef } from 'react';

interface FlashProps {
  /** When this value changes, the content lights up once. */
  value: unknown;
  className?: string;
  children: ReactNode;
}

const calm = window.matchMedia('(prefers-reduced-motion: reduce)');

export function Flash({ value, className = '', children }: FlashProps) {
  const element = useRef<HTMLSpanElement>(null);
  const shown = useRef(value);
  useEffect(() => {
    if (Object.is(shown.current, value)) return;
    shown.current = value;
    if (calm.matches) return;
    if (element.current) light(element.current);
  }, [value]);
  return (
    <span ref={element} className={`relative isolate rounded-sm ${className}`}>
      {children}
    </span>
  );
}

/**
 * A light behind the text that fades. Only its opacity changes, which the browser does apart from the page's own
 * thread; to fade a background would paint the page again in every frame.
 */
function light(element: HTMLElement): void {
  const glow = document.createElement('span');
  glow.className = 'flash-glow';
  glow.ariaHidden = 'true';
  element.append(glow);
  const fade = glow.animate([{ opacity: 1 }, { opacity: 0 }], {
    duration: 1400,
    easing: 'ease-out',
  });
  fade.addEventListener('finish', () => glow.remove());
}
