import { type ReactNode, useState } from 'react';

interface FoldProps {
  /** Whether the fold is open at first. Later the person decides. */
  isOpen: boolean;
  className?: string;
  summary: ReactNode;
  children: ReactNode;
}

export function Fold({ isOpen, className = '', summary, children }: FoldProps) {
  const [first] = useState(isOpen);
  return (
    <details className={`group ${className}`} open={first}>
      {summary}
      {children}
    </details>
  );
}
