import type { RunRow } from '@saga-ai/types/screens/epic-run/epic-run';
import { STATES } from '@saga-ai/types/screens/story-state';
import { memo } from 'react';
import { useStoryAction } from '../actions/use-story-action.ts';
import { TOP } from '../state/tone-classes.ts';
import { formatDollars } from '../text/amounts.ts';
import { formatMinute } from '../text/times.ts';
import { Elapsed, SignAge } from '../ui/moments.tsx';
import { Empty } from '../ui/notice.tsx';
import { StateGlyph } from '../ui/state-glyph.tsx';
import { chooseTiles } from './choose-tiles.ts';
import { hrefOf, useChooseClicks } from './use-choice.ts';

interface TilesProps {
  rows: readonly RunRow[];
  jobs: number;
  chosen: string | undefined;
}

/** One tile for each story that is worked on or needs a person, and what comes next. */
export function Tiles({ rows, jobs, chosen }: TilesProps) {
  const onClick = useChooseClicks();
  const { active, next } = chooseTiles(rows, jobs);
  if (active.length + next.length === 0) {
    return <Empty title="No story is being worked on, and none waits." />;
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the clicks are those of the links inside
    <ol aria-label="Stories at work" className="tiles" onClick={onClick}>
      {active.map((row, i) => (
        <Tile key={row.id} row={row} number={i + 1} isChosen={row.id === chosen} />
      ))}
      {next.map((row) => (
        <NextTile key={row.id} row={row} />
      ))}
    </ol>
  );
}

interface TileProps {
  row: RunRow;
  number: number;
  isChosen: boolean;
}

const Tile = memo(function Tile({ row, number, isChosen }: TileProps) {
  const { id, title, state, note, progress, work, cost } = row;
  const { tone } = STATES[state];
  const task = Math.min(progress.completed + 1, progress.total);
  return (
    <li className={`tile panel border-t-[3px] ${TOP[tone]}`} data-chosen={isChosen || undefined}>
      <div className="flex items-center gap-1.5">
        <StateGlyph state={STATES[state]} />
        <a
          href={hrefOf(id)}
          data-row
          data-story={id}
          aria-current={isChosen || undefined}
          className="min-w-0 truncate font-semibold after:absolute after:inset-0"
        >
          {title}
        </a>
        {number < 10 ? (
          <kbd className="ml-auto text-xs text-faint" title={`Key ${number} opens it`}>
            {number}
          </kbd>
        ) : null}
      </div>
      <p className="line-clamp-2 text-sm" title={note}>
        {note}
        {work && progress.total > 0 ? (
          <span className="text-faint">
            {' '}
            · {task} of {progress.total}
          </span>
        ) : null}
      </p>
      {work?.activity ? (
        <p className="truncate font-mono text-xs text-soft">{work.activity}</p>
      ) : null}
      <p className="mt-auto flex items-center gap-3 text-xs text-soft">
        {work ? (
          <span>
            <Elapsed since={work.startedAt} />
          </span>
        ) : null}
        <span>{formatDollars(cost)}</span>
        <span className="ml-auto">{work?.signAt ? <SignAge time={work.signAt} /> : null}</span>
        {work ? <StopTile id={id} title={title} /> : null}
        {state === 'needs-you' ? (
          <span aria-hidden="true" className="font-medium text-needs-you">
            help it
          </span>
        ) : null}
      </p>
    </li>
  );
});

function StopTile({ id, title }: { id: string; title: string }) {
  const action = useStoryAction(id, { isAway: true });
  return (
    <button
      type="button"
      disabled={action.isPending}
      onClick={() => action.mutate({ verb: 'stop' })}
      className="relative -my-1 -mr-1 rounded px-1.5 py-1 font-medium hover:bg-needs-you-wash hover:text-needs-you"
    >
      <span aria-hidden="true">■</span> Stop<span className="sr-only"> {title}</span>
    </button>
  );
}

function NextTile({ row: { id, title, note, expected } }: { row: RunRow }) {
  return (
    <li className="tile items-center justify-center rounded-lg border border-dashed border-control text-center">
      <a
        href={hrefOf(id)}
        data-row
        data-story={id}
        className="font-semibold text-soft after:absolute after:inset-0"
      >
        {title}
      </a>
      <p className="text-xs text-faint">
        {expected ? `next, about ${formatMinute(expected.from)}` : 'next'}
      </p>
      <p className="line-clamp-2 text-xs text-faint">{note}</p>
    </li>
  );
}
