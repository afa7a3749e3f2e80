import { chooseMomentFormat } from '../text/times.ts';
import type { HistoryLine } from './history-line.ts';

interface HistoryChartProps {
  placed: HistoryLine;
  total: number;
  /** The chart in words. */
  label: string;
}

const TICKS = 4;

/**
 * The line is stretched to the available width. Marks and texts must not be stretched, so they are separate
 * elements, placed by percentages of the width.
 */
export function HistoryChart({ placed, total, label }: HistoryChartProps) {
  const { start, end, line, area, marks } = placed;
  const format = chooseMomentFormat(end - start);
  const ticks = Array.from({ length: TICKS + 1 }, (_, i) => start + ((end - start) * i) / TICKS);
  return (
    <div
      role="img"
      aria-label={label}
      className="grid grid-cols-[auto_1fr] gap-x-2 text-xs text-faint"
    >
      <div aria-hidden="true" className="-my-2 flex flex-col justify-between text-right">
        <span>{total.toLocaleString('en')}</span>
        <span>0</span>
      </div>
      <div aria-hidden="true" className="relative h-28 min-w-0 border-b border-edge">
        <svg
          aria-hidden="true"
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          className="absolute inset-0 size-full overflow-visible"
        >
          <path
            d="M0 0H100"
            className="stroke-edge"
            strokeDasharray="2 4"
            vectorEffect="non-scaling-stroke"
          />
          <path d={area} className="fill-done-wash" />
          <path
            d={line}
            className="fill-none stroke-done"
            strokeWidth="1.75"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        {marks.map(({ x, y, titles }) => (
          <span
            key={`${x} ${y}`}
            title={titles.join(', ')}
            className="absolute size-2 -translate-x-1/2 -translate-y-1/2 rounded-full border-[1.5px] border-done bg-panel"
            style={{ left: `${x}%`, top: `${y}%` }}
          />
        ))}
      </div>
      <div
        aria-hidden="true"
        className="col-start-2 mt-1.5 flex justify-between gap-3 whitespace-nowrap"
      >
        {ticks.map((tick, i) => (
          <span key={tick} className={i % TICKS === 0 ? '' : 'max-md:hidden'}>
            {format(new Date(tick).toISOString())}
          </span>
        ))}
      </div>
    </div>
  );
}
