import type { ReactNode } from 'react';

/** Says that there is nothing to show, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="rounded-lg border border-dashed border-line px-4 py-6 text-center">
      <p className="text-sm font-medium text-soft">{title}</p>
      {children ? <div className="mt-1 text-sm text-faint">{children}</div> : null}
    </div>
  );
}

export function Command({ children }: { children: string }) {
  return (
    <code className="rounded box-decoration-clone bg-plain-wash px-1.5 py-0.5 font-mono text-xs text-ink">
      {children}
    </code>
  );
}
