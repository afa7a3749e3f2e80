import type { KeyboardEvent } from 'react';
import { formatBytes } from '../text/amounts.ts';
import { formatClock } from '../text/times.ts';
import { Button } from '../ui/button.tsx';
import type { LogRange } from './log-range.ts';
import type { Mark } from './timeline.tsx';
import type { ScanState } from './use-scan.ts';

interface LogToolbarProps {
  query: string;
  onQuery: (query: string) => void;
  found: number;
  /** The number of the match that is shown, from 1. */
  position: number;
  step: (step: 1 | -1) => void;
  range: LogRange;
  goTo: (offset: number) => void;
  scanning: ScanState;
  stopScan: () => void;
  searchEarlier: () => void;
  marks: readonly Mark[];
  show: (index: number) => void;
}

export function LogToolbar(props: LogToolbarProps) {
  const { query, onQuery, found, position, step, range, goTo, scanning, marks, show } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
  };
  const isPart = range.from > 0 || range.to < range.size;
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-1.5 text-sm sm:px-5">
      <input
        type="search"
        data-search
        aria-label="Search the log"
        placeholder="Search  /"
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={onKeyDown}
        className="control h-7 w-44 px-2 text-sm"
      />
      {query.trim() === '' ? null : (
        <>
          <span role="status" className="min-w-14 text-xs text-soft">
            {found === 0 ? 'none' : `${position} of ${found}`}
          </span>
          <Button aria-label="Previous match" disabled={found === 0} onClick={() => step(-1)}>
            ↑
          </Button>
          <Button aria-label="Next match" disabled={found === 0} onClick={() => step(1)}>
            ↓
          </Button>
          {range.from > 0 ? (
            <Button onClick={props.searchEarlier}>
              Search earlier ({formatBytes(range.from)})
            </Button>
          ) : null}
        </>
      )}
      <Scanning state={scanning} stop={props.stopScan} />
      <select
        aria-label="Jump to"
        value=""
        onChange={(event) => show(Number(event.target.value))}
        className="control h-7 w-32 px-2 text-sm lg:hidden"
      >
        <option value="" disabled>
          Jump to …
        </option>
        {marks.map((mark) => (
          <option key={mark.key} value={mark.index}>
            {formatClock(mark.time)} {mark.title}
          </option>
        ))}
      </select>
      {isPart ? (
        <label className="ml-auto flex items-center gap-2 text-xs text-faint">
          <span className="max-sm:sr-only">
            {formatBytes(range.from)} to {formatBytes(range.to)} of {formatBytes(range.size)}
          </span>
          <input
            type="range"
            aria-label="Position in the log"
            min={0}
            max={range.size}
            step={4096}
            value={range.from}
            onChange={(event) => goTo(Number(event.target.value))}
            className="w-40 accent-running max-sm:w-24"
          />
        </label>
      ) : null}
    </div>
  );
}

function Scanning({ state, stop }: { state: ScanState; stop: () => void }) {
  if (state === null) return null;
  return (
    <span role="status" className="flex items-center gap-2 text-xs text-soft">
      {state === 'nothing' ? 'No earlier match.' : `searching, ${formatBytes(state.at)} left`}
      {state === 'nothing' ? null : <Button onClick={stop}>Stop</Button>}
    </span>
  );
}
