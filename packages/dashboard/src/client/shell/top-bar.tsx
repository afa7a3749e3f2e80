import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { homeQuery } from '../api/queries.ts';
import { ThemeSwitch } from '../theme/theme-switch.tsx';
import { ConnectionState } from './connection-state.tsx';

interface TopBarProps {
  openPalette: () => void;
  openHelp: () => void;
}

const TAB =
  'flex h-8 items-center gap-1.5 rounded-md px-2 text-soft hover:bg-hover hover:text-ink max-sm:px-1.5';
const ACTIVE = { className: `${TAB} bg-plain-wash !text-ink`, 'aria-current': 'page' as const };
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function TopBar({ openPalette, openHelp }: TopBarProps) {
  const { data } = useQuery(homeQuery);
  const problems = data?.counts.problems ?? 0;
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-panel">
      <div className="mx-auto flex h-12 max-w-[90rem] items-center gap-1 px-3 text-sm sm:gap-2 sm:px-5">
        <Link to="/" className="mr-1 flex min-w-0 items-center gap-2 font-semibold max-sm:hidden">
          <img src="/icon.svg" alt="" width={20} height={20} className="shrink-0" />
          <span>SAGA</span>
          <span className="hidden max-w-48 truncate font-normal text-faint lg:inline">
            {data?.project}
          </span>
        </Link>
        <nav
          aria-label="Pages"
          className="-m-1 flex min-w-0 items-center gap-0.5 overflow-x-auto p-1 font-medium [scrollbar-width:none]"
        >
          <Link
            to="/"
            activeOptions={{ exact: true, includeSearch: false }}
            className={TAB}
            activeProps={ACTIVE}
          >
            Home
          </Link>
          <Link
            to="/plan/new"
            activeOptions={{ includeSearch: false }}
            className={TAB}
            activeProps={ACTIVE}
          >
            Plan
          </Link>
          <Link to="/sessions" className={TAB} activeProps={ACTIVE}>
            Sessions
          </Link>
          {data?.hasFleet ? (
            <Link to="/fleet" className={TAB} activeProps={ACTIVE}>
              Fleet
            </Link>
          ) : null}
          <Link to="/problems" className={TAB} activeProps={ACTIVE}>
            Problems
            {problems > 0 ? (
              <span className="rounded-full bg-needs-you-wash px-1.5 text-xs text-needs-you">
                {problems}
              </span>
            ) : null}
          </Link>
        </nav>
        <div className="ml-auto flex shrink-0 items-center gap-0.5 sm:gap-1">
          <ConnectionState />
          <button
            type="button"
            onClick={openPalette}
            className="flex h-8 items-center gap-3 rounded-md px-2 text-faint hover:bg-hover hover:text-ink md:w-36 md:border lg:w-52 md:border-control"
          >
            <span aria-hidden="true" className="md:hidden">
              ⌕
            </span>
            <span className="max-md:sr-only">Go to …</span>
            <kbd className="ml-auto hidden font-sans text-xs md:inline">
              {isMac ? '⌘K' : 'Ctrl K'}
            </kbd>
          </button>
          <button
            type="button"
            onClick={openHelp}
            aria-label="Keyboard help"
            title="Keyboard help (?)"
            className="hidden size-8 place-items-center rounded-md text-soft hover:bg-hover hover:text-ink sm:grid"
          >
            <span aria-hidden="true">?</span>
          </button>
          <ThemeSwitch />
        </div>
      </div>
    </header>
  );
}
