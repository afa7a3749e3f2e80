import type { ReactNode } from 'react';

/** The main part of a page, and the target of "Skip to content". */
export function Page({ children, wide = false }: { children: ReactNode; wide?: boolean }) {
  const width = wide ? 'max-w-[90rem]' : 'max-w-6xl';
  return (
    <main
      id="main"
      tabIndex={-1}
      className={`mx-auto w-full px-3 pb-20 pt-5 outline-none sm:px-5 ${width}`}
    >
      {children}
    </main>
  );
}
