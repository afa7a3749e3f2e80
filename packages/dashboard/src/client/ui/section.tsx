import type { ReactNode } from 'react';

interface SectionProps {
  id: string;
  title: string;
  /** Shown beside the title. */
  count?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}

export function Section({ id, title, count, aside, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="mb-2 flex min-h-7 flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <h2 id={id} className="text-sm font-semibold">
          {title}
        </h2>
        {count === undefined ? null : <span className="text-xs text-faint">{count}</span>}
        {aside ? <div className="flex flex-wrap items-center gap-2 sm:ml-auto">{aside}</div> : null}
      </div>
      {children}
    </section>
  );
}
