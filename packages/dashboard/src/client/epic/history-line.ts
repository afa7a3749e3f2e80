import type { EpicHistoryAnswer } from '@saga-ai/types/screens/dashboard';

/** Places in a field of 100 by 100. As in SVG, y grows downwards. */
export interface HistoryLine {
  /** The left and right sides of the field, in milliseconds. */
  start: number;
  end: number;
  /** The line rises at each point and is level between two points, because nothing was completed there. */
  line: string;
  /** The area below the line. */
  area: string;
  /** The places where stories were completed. */
  marks: { x: number; y: number; titles: string[] }[];
}

/** Space before the first point, so that its rise is visible. */
const LEAD = 0.03;
const SHORTEST_MS = 60_000;

/** The line ends now, or at the last point if all is done. Returns undefined if no point has a time. */
export function placeHistory(
  { points, undated, tasks }: EpicHistoryAnswer,
  now: number,
): HistoryLine | undefined {
  const placed = points.map((point) => ({ ...point, at: Date.parse(point.time) }));
  const first = placed[0]?.at;
  const last = placed.at(-1)?.at;
  if (first === undefined || last === undefined) return undefined;
  const end = tasks.completed === tasks.total ? last : Math.max(last, now);
  const start = first - Math.max((end - first) * LEAD, SHORTEST_MS * LEAD);
  const x = (at: number) => round(((at - start) / (end - start)) * 100);
  const y = (completed: number) => round(100 - (completed / Math.max(1, tasks.total)) * 100);
  const rises = placed.map((point) => `H${x(point.at)}V${y(point.completed)}`).join('');
  const line = `M0 ${y(undated)}${rises}H100`;
  return {
    start,
    end,
    line,
    area: `${line}V100H0Z`,
    marks: placed.flatMap(({ at, completed, stories = [] }) =>
      stories.length === 0
        ? []
        : [{ x: x(at), y: y(completed), titles: stories.map(({ title }) => title) }],
    ),
  };
}

const round = (value: number) => Math.round(value * 100) / 100;
