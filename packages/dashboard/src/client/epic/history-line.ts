import type { EpicHistoryAnswer } from '@saga-ai/types/screens/dashboard';

/** Where things stand in a field of 100 by 100, y growing downwards as in SVG. */
export interface HistoryLine {
  /** The field's sides, in milliseconds. */
  start: number;
  end: number;
  /** Up at each point and level between them: between two points nothing was completed. */
  line: string;
  /** The same, closed along the ground. */
  area: string;
  /** Where stories were completed. */
  marks: { x: number; y: number; titles: string[] }[];
}

/** Room before the first point, so that its rise is seen. */
const LEAD = 0.03;
const SHORTEST_MS = 60_000;

/** Up to now, unless all is done; nothing while no point has a time. */
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
