import type { HistoryPoint } from '@saga-ai/types/screens/dashboard';
import { Link } from '@tanstack/react-router';
import { chooseMomentFormat } from '../text/times.ts';

/** The history as a table, for readers who cannot see the chart or want exact times. Newest first. */
export function HistoryTable({ points, ms }: { points: readonly HistoryPoint[]; ms: number }) {
  const format = chooseMomentFormat(ms);
  return (
    <details className="group mt-2.5">
      <summary className="w-fit text-xs text-soft hover:text-ink">
        <span aria-hidden="true" className="mr-1.5 inline-block group-open:rotate-90">
          ›
        </span>
        <span>When</span>
      </summary>
      <table className="mt-2 text-xs">
        <thead className="text-left text-faint">
          <tr>
            <th className="pr-6 font-medium">Time</th>
            <th className="pr-6 text-right font-medium">Tasks</th>
            <th className="font-medium">Stories completed</th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(({ time, completed, stories = [] }) => (
            <tr key={time}>
              <td className="whitespace-nowrap pr-6">
                <time dateTime={time}>{format(time)}</time>
              </td>
              <td className="pr-6 text-right">{completed.toLocaleString('en')}</td>
              <td>
                {stories.map(({ id, title }) => (
                  <Link key={id} to="/stories/$id" params={{ id }} className="link mr-3">
                    {title}
                  </Link>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
