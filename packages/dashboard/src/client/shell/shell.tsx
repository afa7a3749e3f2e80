import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import { Locked } from '../access/locked.tsx';
import { useToken } from '../api/token.ts';
import { useGlobalKeys } from '../keyboard/use-global-keys.ts';
import { NoticeList } from './notice-list.tsx';
import { TopBar } from './top-bar.tsx';
import { usePageFocus } from './use-page-focus.ts';

const Palette = lazy(() => import('../keyboard/palette.tsx'));
const Help = lazy(() => import('../keyboard/help.tsx'));

export function Shell() {
  const token = useToken();
  const [open, setOpen] = useState<'palette' | 'help' | null>(null);
  const close = useCallback(() => setOpen(null), []);
  const openPalette = useCallback(() => setOpen('palette'), []);
  const openHelp = useCallback(() => setOpen('help'), []);
  useGlobalKeys({ openPalette, openHelp });
  usePageFocus();
  return (
    <>
      <a
        href="#main"
        className="sr-only rounded bg-ink px-3 py-1.5 text-inverse focus:not-sr-only focus:absolute focus:left-2 focus:top-2 focus:z-50"
      >
        Skip to content
      </a>
      <TopBar openPalette={openPalette} openHelp={openHelp} />
      {token === null ? <Locked /> : <Outlet />}
      <NoticeList />
      <Suspense>
        {open === 'palette' ? <Palette close={close} /> : null}
        {open === 'help' ? <Help close={close} /> : null}
      </Suspense>
    </>
  );
}
