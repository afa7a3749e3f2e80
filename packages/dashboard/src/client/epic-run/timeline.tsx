import type { EpicRun, Expected, RunRow } from '@saga-ai/types/screens/epic-run/epic-run';
import { STATES } from '@saga-ai/types/screens/story-state';
import { memo, useMemo, useState } from 'react';
import { count, formatDollars } from '../text/amounts.ts';
import { formatMinute, formatMoment, formatSecond } from '../text/times.ts';
import { useNowAs } from '../ui/clock.ts';
import { SignAge } from '../ui/moments.tsx';
import { StateGlyph } from '../ui/state-glyph.tsx';
import { cutIntoChunks, hasSameItems } from './chunks.ts';
import { describeSpans } from './describe-spans.ts';
import { foldMerged } from './fold-merged.ts';
import { chooseScale, placeMoment, placeSpans, type Scale } from './place-timeline.ts';
import { hrefOf, useChooseClicks } from './use-choice.ts';

interface TimelineProps {
  run: EpicRun;
  rows: readonly RunRow[];
  /** The story that the inspector shows. */
  chosen: RunRow | undefined;
}

/** Shows one row for each story: which ran together, which waited for which, and where the time went. */
export function Timeline({ run, rows, chosen }: TimelineProps) {
  const scale = useScale(run);
  const onClick = useChooseClicks();
  const [showsAll, setShowsAll] = useState(false);
  const { open, folded } = foldMerged(rows, chosen?.id);
  const shown = showsAll ? rows : open;
  return (
    <div className="panel overflow-hidden">
      <div className="relative">
        <Axis scale={scale} />
        <Merges run={run} scale={scale} />
        {folded > 0 ? (
          <button
            type="button"
            data-row
            aria-expanded={showsAll}
            onClick={() => setShowsAll(!showsAll)}
            className="row flex h-7 w-full items-center gap-1.5 px-4 text-left text-sm text-soft"
          >
            <StateGlyph state={STATES.done} />
            {folded} merged
            <span className="text-xs text-faint">{showsAll ? 'fold them' : 'show them'}</span>
          </button>
        ) : null}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the clicks are those of the links inside */}
        <ol aria-label="Stories over time" className="pb-2" onClick={onClick}>
          {cutIntoChunks(shown).map((chunk, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a chunk is its place
            <Rows key={i} rows={chunk} scale={scale} chosen={chosen} />
          ))}
        </ol>
        {run.endedAt === null ? <NowLine scale={scale} /> : null}
      </div>
      <Legend basedOn={run.forecast?.basedOn} />
    </div>
  );
}

interface RowsProps {
  rows: readonly RunRow[];
  scale: Scale;
  chosen: RunRow | undefined;
}

const Rows = memo(
  ({ rows, scale, chosen }: RowsProps) =>
    rows.map((row) => (
      <Row key={row.id} row={row} scale={scale} relation={findRelation(row, chosen)} />
    )),
  (a, b) => a.scale === b.scale && a.chosen?.id === b.chosen?.id && hasSameItems(a.rows, b.rows),
);

/** How a row relates to the chosen story. */
type Relation = 'chosen' | 'needed' | 'held-up';

function findRelation(row: RunRow, chosen: RunRow | undefined): Relation | undefined {
  if (!chosen) return undefined;
  if (row.id === chosen.id) return 'chosen';
  if (chosen.needs.includes(row.id)) return 'needed';
  return row.needs.includes(chosen.id) ? 'held-up' : undefined;
}

const RELATIONS: Readonly<Record<Relation, string>> = {
  chosen: '',
  needed: 'needed by the chosen story',
  'held-up': 'held up by the chosen story',
};

/** The scale stays the same for a while, and rows are drawn again only with it. */
function useScale({ startedAt, endedAt, forecast }: EpicRun): Scale {
  const start = Date.parse(startedAt);
  const choose = (now: number) =>
    endedAt
      ? chooseScale(start, Date.parse(endedAt), true)
      : chooseScale(
          start,
          Math.max(now, Math.min(forecast?.endsAt ?? 0, farthest(start, now))),
          false,
        );
  const end = useNowAs((now) => choose(now).end);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end says whether it is another scale
  return useMemo(() => choose(Date.now()), [start, end]);
}

/** Limits how much of the future is shown, so that the past keeps most of the width. */
const farthest = (start: number, now: number) => now + Math.max(2 * (now - start), 60_000);

/** The line of now and the spans that go on. Only these are drawn again every second. */
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
  const style = { left: `${left}%`, right: `${right}%` };
  return <span aria-hidden="true" data-going {...rest} style={style} />;
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

interface RowProps {
  row: RunRow;
  scale: Scale;
  relation: Relation | undefined;
}

const Row = memo(function Row({ row, scale, relation }: RowProps) {
  const { id, title, state, note, spans, cost, isCritical, work, expected } = row;
  const placed = placeSpans(spans, scale);
  const isOver = state === 'done';
  const said = isOver ? formatDollars(cost) : note;
  return (
    <li className="timeline-row timeline-story row" data-state={state} data-relation={relation}>
      <a
        href={hrefOf(id)}
        data-row
        data-story={id}
        aria-current={relation === 'chosen' || undefined}
        title={title}
        className="flex min-w-0 items-center gap-1.5 text-sm"
      >
        <StateGlyph state={STATES[state]} />
        <span className={`truncate ${isCritical ? 'font-semibold' : ''}`}>{title}</span>
        {relation && RELATIONS[relation] !== '' ? (
          <span className="sr-only">, {RELATIONS[relation]}</span>
        ) : null}
      </a>
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
        {expected ? (
          <Expectation expected={expected} scale={scale} isCritical={isCritical} />
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
        {work?.signAt ? (
          <span className="flex gap-2">
            <span className="min-w-0 grow truncate max-lg:hidden">{note}</span>
            <span className="ml-auto shrink-0">
              <SignAge time={work.signAt} />
            </span>
          </span>
        ) : (
          said
        )}
      </span>
    </li>
  );
});

interface ExpectationProps {
  expected: Expected;
  scale: Scale;
  isCritical: boolean;
}

/** Shows when a story is expected to run, if it begins within the time that is shown. */
function Expectation({ expected: { from, to }, scale, isCritical }: ExpectationProps) {
  if (from >= scale.end) return null;
  const left = placeMoment(scale, from);
  const right = 100 - placeMoment(scale, to);
  return (
    <span
      aria-hidden="true"
      data-kind="expected"
      data-critical={isCritical || undefined}
      className="timeline-span"
      style={{ left: `${left}%`, right: `${right}%` }}
    />
  );
}

const KINDS = [
  ['work', 'work'],
  ['gate', 'gate'],
  ['merge', 'merge'],
  ['waits', 'waits for you'],
] as const;

function Legend({ basedOn }: { basedOn: number | undefined }) {
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
      {basedOn === undefined ? null : (
        <li className="flex items-center gap-1.5">
          <span aria-hidden="true" data-kind="expected" className="timeline-swatch" />
          expected, from {count(basedOn, 'finished story', 'finished stories')}
        </li>
      )}
      <li className="flex items-center gap-1.5">
        <strong className="font-semibold text-ink">bold</strong> and underlined: on the critical
        path, the longest chain of what is not merged
      </li>
    </ul>
  );
}
