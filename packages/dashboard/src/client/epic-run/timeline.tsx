import type { EpicRun, RunRow } from '@saga-ai/types/screens/epic-run/epic-run';
import { STATES } from '@saga-ai/types/screens/story-state';
import { Link } from '@tanstack/react-router';
import { memo, useMemo } from 'react';
import { formatCost } from '../text/amounts.ts';
import { formatMoment } from '../text/times.ts';
import { useNowAs } from '../ui/clock.ts';
import { StateGlyph } from '../ui/state-glyph.tsx';
import { describeSpans } from './describe-spans.ts';
import { chooseScale, placeMoment, placeSpans, type Scale } from './place-timeline.ts';

interface TimelineProps {
  run: EpicRun;
  rows: readonly RunRow[];
}

/** What ran together, what waited for what, and where the time went: one row a story. */
export function Timeline({ run, rows }: TimelineProps) {
  const scale = useScale(run);
  return (
    <div className="panel overflow-hidden">
      <div className="relative">
        <Axis scale={scale} />
        <Merges run={run} scale={scale} />
        <ol aria-label="Stories over time" className="pb-2">
          {rows.map((row) => (
            <Row key={row.id} row={row} scale={scale} />
          ))}
        </ol>
        {run.endedAt === null ? <NowLine scale={scale} /> : null}
      </div>
      <Legend />
    </div>
  );
}

/** The scale stays the same for a while, and rows are drawn again only with it. */
function useScale({ startedAt, endedAt }: EpicRun): Scale {
  const start = Date.parse(startedAt);
  const choose = (now: number) =>
    chooseScale(start, endedAt ? Date.parse(endedAt) : now, endedAt !== null);
  const end = useNowAs((now) => choose(now).end);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end says whether it is another scale
  return useMemo(() => choose(Date.now()), [start, end]);
}

/** Only these are drawn again every second: the line of now, and what goes on. */
function NowLine({ scale }: { scale: Scale }) {
  const left = useNowAs((now) => placeMoment(scale, now));
  return (
    <div aria-hidden="true" className="timeline-overlay">
      <div className="timeline-track">
        <span className="timeline-now" style={{ left: `${left}%` }} />
      </div>
    </div>
  );
}

function Going({ left, scale, ...rest }: { left: number; scale: Scale; className: string }) {
  const right = useNowAs((now) => 100 - placeMoment(scale, now));
  return <span aria-hidden="true" {...rest} style={{ left: `${left}%`, right: `${right}%` }} />;
}

function Axis({ scale }: { scale: Scale }) {
  const { start, end, ticks } = scale;
  const format = end - start < 6 * 60_000 ? formatSecond : formatMinute;
  return (
    <div aria-hidden="true" className="timeline-row h-8 text-xs text-faint">
      <span />
      <div className="timeline-track">
        {ticks.map((tick) => {
          const left = placeMoment(scale, tick);
          return left > 94 ? null : (
            <span
              key={tick}
              className="absolute top-1.5 whitespace-nowrap max-sm:[&:nth-child(even)]:hidden"
              style={{ left: `${left}%` }}
            >
              {format(tick)}
            </span>
          );
        })}
      </div>
      <span />
    </div>
  );
}

const formatMinute = (at: number) =>
  new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
const formatSecond = (at: number) => new Date(at).toLocaleTimeString('en-GB');

/** The branch of the epic, with a diamond for each merge. */
function Merges({ run: { branch, merges }, scale }: { run: EpicRun; scale: Scale }) {
  if (branch === null) return null;
  return (
    <div className="timeline-row">
      <span className="truncate font-mono text-xs text-soft">{branch}</span>
      <div className="timeline-track">
        <Going left={0} scale={scale} className="timeline-branch" />
        {merges.map(({ item, title, at, commit }) => (
          <span
            key={`${item} ${at}`}
            role="img"
            aria-label={`${title} was merged ${formatMoment(new Date(at).toISOString())}`}
            title={`${title} merged at ${formatSecond(at)} (${commit.slice(0, 7)})`}
            className="timeline-merge"
            style={{ left: `${placeMoment(scale, at)}%` }}
          />
        ))}
      </div>
      <span className="timeline-aside">{merges.length} merged</span>
    </div>
  );
}

const Row = memo(function Row({ row, scale }: { row: RunRow; scale: Scale }) {
  const { id, title, state, note, spans, costUsd, isCritical } = row;
  const placed = placeSpans(spans, scale);
  const isOver = state === 'done';
  const said = isOver ? formatCost(costUsd) : note;
  return (
    <li className="timeline-row timeline-story row" data-state={state}>
      <Link
        to="/stories/$id"
        params={{ id }}
        data-row
        title={title}
        className="flex min-w-0 items-center gap-1.5 text-sm"
      >
        <StateGlyph state={STATES[state]} />
        <span className={`truncate ${isCritical ? 'font-semibold' : ''}`}>{title}</span>
      </Link>
      <div className="timeline-track">
        {placed.map(({ kind, isFailed, left, right }) => {
          const look = {
            'data-kind': kind,
            'data-failed': isFailed || undefined,
            'data-over': isOver || undefined,
            'data-critical': isCritical || undefined,
            className: 'timeline-span',
          };
          const key = `${kind} ${left}`;
          if (right === null) return <Going key={key} left={left} scale={scale} {...look} />;
          const style = { left: `${left}%`, right: `${right}%` };
          return <span key={key} aria-hidden="true" {...look} style={style} />;
        })}
        <span className="sr-only">
          {describeSpans(spans, Date.now())}
          {isCritical ? ' on the critical path' : ''}
        </span>
      </div>
      <span
        title={said}
        className={`timeline-aside ${state === 'needs-you' ? '!text-needs-you' : ''}`}
      >
        {said}
      </span>
    </li>
  );
});

const KINDS = [
  ['work', 'work'],
  ['gate', 'gate'],
  ['merge', 'merge'],
  ['waits', 'waits for you'],
] as const;

function Legend() {
  return (
    <ul
      aria-label="What the bars mean"
      className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-xs text-soft"
    >
      {KINDS.map(([kind, word]) => (
        <li key={kind} className="flex items-center gap-1.5">
          <span aria-hidden="true" data-kind={kind} className="timeline-swatch" />
          {word}
        </li>
      ))}
      <li className="flex items-center gap-1.5">
        <strong className="font-semibold text-ink">bold</strong> and underlined: on the critical
        path, the longest chain of what is not merged
      </li>
    </ul>
  );
}
