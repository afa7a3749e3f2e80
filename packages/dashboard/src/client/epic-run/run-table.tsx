import type { RunRow } from '@saga-ai/types/screens/epic-run/epic-run';
import { STATES } from '@saga-ai/types/screens/story-state';
import { formatDuration } from '@saga-ai/types/words/amounts';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { formatCost } from '../text/amounts.ts';
import { StateTag } from '../ui/state-tag.tsx';
import { sumSpans } from './describe-spans.ts';

const HEAD = 'whitespace-nowrap px-3 py-1.5 font-medium';
const FIGURE = 'whitespace-nowrap px-3 py-1.5 text-right';
/** Hidden on a phone: what does not fit there would be cut off without a sign. */
const MINOR = 'max-md:hidden';

/** Every story with its state, times and cost. */
export function RunTable({ rows }: { rows: readonly RunRow[] }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a region only because it scrolls
    <div
      role="region"
      aria-label="Table of stories"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
      tabIndex={0}
      className="panel overflow-x-auto"
    >
      <table className="w-full text-sm">
        <thead className="border-b border-line text-left text-xs text-faint">
          <tr>
            <th className={HEAD}>Story</th>
            <th className={HEAD}>State</th>
            <th className={`${HEAD} w-full ${MINOR}`}>Now</th>
            <th className={`${HEAD} ${MINOR} text-right`}>Tasks</th>
            <th className={`${HEAD} ${MINOR} text-right`}>Starts</th>
            <th className={`${HEAD} ${MINOR} text-right`}>Worked</th>
            <th className={`${HEAD} ${MINOR} text-right`}>Waited for you</th>
            <th className={`${HEAD} text-right`}>Cost</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Row = memo(function Row({ row }: { row: RunRow }) {
  const now = Date.now();
  const { id, title, state, note, progress, starts, spans, costUsd } = row;
  const worked = sumSpans(spans, ['work', 'gate', 'merge'], now);
  const waited = sumSpans(spans, ['waits'], now);
  return (
    <tr className="row">
      <td className="px-3 py-1.5 md:whitespace-nowrap">
        <Link to="/stories/$id" params={{ id }} data-row title={id} className="hover:underline">
          {title}
        </Link>
      </td>
      <td className="px-3 py-1.5">
        <StateTag state={STATES[state]} />
      </td>
      <td className={`px-3 py-1.5 text-soft ${MINOR}`}>
        <span className="line-clamp-1">{note}</span>
      </td>
      <td className={`${FIGURE} ${MINOR}`}>
        {progress.completed}/{progress.total}
      </td>
      <td className={`${FIGURE} ${MINOR}`}>{starts === 0 ? '–' : starts}</td>
      <td className={`${FIGURE} ${MINOR}`}>{worked > 0 ? formatDuration(worked) : '–'}</td>
      <td className={`${FIGURE} ${MINOR}`}>{waited > 0 ? formatDuration(waited) : '–'}</td>
      <td className={FIGURE}>{formatCost(costUsd)}</td>
    </tr>
  );
});
