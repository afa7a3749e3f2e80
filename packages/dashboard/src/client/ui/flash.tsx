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
    element.current?.animate(
      [{ backgroundColor: 'var(--flash)' }, { backgroundColor: 'transparent' }],
      { duration: 1400, easing: 'ease-out' },
    );
  }, [value]);
  return (
    <span ref={element} className={`rounded-sm ${className}`}>
      {children}
    </span>
  );
}
