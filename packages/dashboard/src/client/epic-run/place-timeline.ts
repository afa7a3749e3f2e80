import type { Span } from '@saga-ai/types/screens/epic-run/spans';

/** The time that a timeline shows, in milliseconds since the epoch. */
export interface Scale {
  start: number;
  end: number;
  ticks: number[];
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const STEPS = [
  ...[5, 10, 20, 30].map((it) => it * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((it) => it * MINUTE),
  ...[1, 2, 4, 8, 24].map((it) => it * HOUR),
];
const MOST_TICKS = 6;
const SHORTEST = 30 * SECOND;

/**
 * While a run goes on, the scale ends a little after now, at a whole step: so it stays the same for a while, and
 * only the line of now moves.
 */
export function chooseScale(start: number, now: number, isOver: boolean): Scale {
  const length = Math.max(now - start, SHORTEST);
  const step = STEPS.find((it) => length / it <= MOST_TICKS) ?? chooseDays(length);
  const end = isOver ? start + length : start + (Math.floor(length / step) + 1) * step;
  const count = Math.floor((end - start) / step) + 1;
  return { start, end, ticks: Array.from({ length: count }, (_, i) => start + i * step) };
}

const chooseDays = (length: number) => Math.ceil(length / MOST_TICKS / (24 * HOUR)) * 24 * HOUR;

/** Returns the place of a moment, in percent of the width. */
export const placeMoment = ({ start, end }: Scale, at: number): number =>
  round(Math.min(100, Math.max(0, ((at - start) / (end - start)) * 100)));

export interface PlacedSpan {
  kind: Span['kind'];
  isFailed: boolean;
  left: number;
  /** The end of the span. Null while the span goes on: it ends at the line of now. */
  right: number | null;
}

export function placeSpans(spans: readonly Span[], scale: Scale): PlacedSpan[] {
  return spans.map(({ kind, from, to, isFailed = false }) => ({
    kind,
    isFailed,
    left: placeMoment(scale, from),
    right: to === null ? null : round(100 - placeMoment(scale, to)),
  }));
}

const round = (value: number) => Math.round(value * 1000) / 1000;
