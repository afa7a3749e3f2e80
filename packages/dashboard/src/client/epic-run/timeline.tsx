import type { EpicRun, RunRow } from '@saga-ai/types/screens/epic-run/epic-run';
import { STATES } from '@saga-ai/types/screens/story-state';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, memo, type ReactNode, useMemo } from 'react';
import { formatCost } from '../text/amounts.ts';
import { formatMoment } from '../text/times.ts';
import { useNow } from '../ui/clock.ts';
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
      <NowScope scale={scale} isOver={run.endedAt !== null}>
        <Axis scale={scale} />
        <Merges run={run} scale={scale} />
        <ol aria-label="Stories over time" className="pb-2">
          {rows.map((row) => (
            <Row key={row.id} row={row} scale={scale} />
          ))}
        </ol>
      </NowScope>
      <Legend />
    </div>
  );
}

function useScale({ startedAt, endedAt }: EpicRun): Scale {
  const now = useNow();
  const start = Date.parse(startedAt);
  const scale = chooseScale(start, endedAt ? Date.parse(endedAt) : now, endedAt !== null);
  // It changes with its end only, and rows are drawn again only with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  return useMemo(() => scale, [scale.start, scale.end]);
}

interface NowScopeProps {
  scale: Scale;
  isOver: boolean;
  children: ReactNode;
}

/** Moves the line of now, and the ends of what goes on, by one variable: the rows are not drawn again. */
function NowScope({ scale, isOver, children }: NowScopeProps) {
  const now = useNow();
  const at = isOver ? 100 : placeMoment(scale, now);
  return (
    <div className="timeline" style={{ '--now': at } as CSSProperties}>
      {children}
      {isOver ? null : (
        <div aria-hidden="true" className="timeline-overlay">
          <div className="timeline-track">
            <span className="timeline-now" />
          </div>
        </div>
      )}
    </div>
  );
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
        <span aria-hidden="true" className="timeline-branch" />
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
        {placed.map(({ kind, isFailed, left, right }) => (
          <span
            key={`${kind} ${left}`}
            aria-hidden="true"
            data-kind={kind}
            data-failed={isFailed || undefined}
            data-over={isOver || undefined}
            className="timeline-span"
            style={{
              left: `${left}%`,
              right: right === null ? 'calc(100% - var(--now) * 1%)' : `${right}%`,
            }}
          />
        ))}
        {isCritical && placed[0] ? (
          <span
            aria-hidden="true"
            className="timeline-critical"
            style={{ left: `${placed[0].left}%` }}
          />
        ) : null}
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
        <strong className="font-semibold text-ink">bold</strong> on the critical path, the longest
        chain of what is not merged
      </li>
    </ul>
  );
}
