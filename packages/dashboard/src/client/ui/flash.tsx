import { type ReactNode, useEffect, useRef } from 'react';

interface FlashProps {
  /** When this value changes, the content lights up once. */
  value: unknown;
  className?: string;
  /** True to light up without fading, because fading costs too much if very many elements light up at once. */
  isStill?: boolean;
  children: ReactNode;
}

const calm = window.matchMedia('(prefers-reduced-motion: reduce)');

export function Flash({ value, className = '', isStill = false, children }: FlashProps) {
  const element = useRef<HTMLSpanElement>(null);
  const shown = useRef(value);
  useEffect(() => {
    if (Object.is(shown.current, value)) return;
    shown.current = value;
    if (calm.matches) return;
    if (element.current) light(element.current, isStill);
  }, [value, isStill]);
  return (
    <span ref={element} className={`relative isolate rounded-sm ${className}`}>
      {children}
    </span>
  );
}

const STILL_MS = 1000;

/** A light behind the text, which leaves the text and its own background alone. */
function light(element: HTMLElement, isStill: boolean): void {
  const glow = document.createElement('span');
  glow.className = 'flash-glow';
  glow.ariaHidden = 'true';
  element.append(glow);
  if (isStill) {
    window.setTimeout(() => glow.remove(), STILL_MS);
    return;
  }
  const fade = glow.animate([{ opacity: 1 }, { opacity: 0 }], {
    duration: 1400,
    easing: 'ease-out',
  });
  fade.addEventListener('finish', () => glow.remove());
}
