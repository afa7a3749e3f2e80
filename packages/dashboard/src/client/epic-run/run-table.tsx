import type { RunRow } from '@saga-ai/types/screens/epic-run/epic-run';
import { STATES } from '@saga-ai/types/screens/story-state';
import { formatDuration } from '@saga-ai/types/words/amounts';
import { memo } from 'react';
import { formatDollars } from '../text/amounts.ts';
import { StateTag } from '../ui/state-tag.tsx';
import { cutIntoChunks, hasSameItems } from './chunks.ts';
import { sumSpans } from './describe-spans.ts';
import { hrefOf, useChooseClicks } from './use-choice.ts';

const HEAD = 'whitespace-nowrap px-3 py-1.5 font-medium';
const FIGURE = 'whitespace-nowrap px-3 py-1.5 text-right';
/** Hidden on a phone: what does not fit there would be cut off without a sign. */
const MINOR = 'max-md:hidden';

/** Every story with its state, times and cost. */
export function RunTable({
  rows,
  chosen,
}: {
  rows: readonly RunRow[];
  chosen?: string | undefined;
}) {
  const onClick = useChooseClicks();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a region only because it scrolls
    // biome-ignore lint/a11y/useKeyWithClickEvents: the clicks are those of the links inside
    <div
      role="region"
      aria-label="Table of stories"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
      tabIndex={0}
      className="panel overflow-x-auto"
      onClick={onClick}
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
          {cutIntoChunks(rows).map((chunk, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a chunk is its place
            <Rows key={i} rows={chunk} chosen={chosen} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Rows = memo(
  ({ rows, chosen }: { rows: readonly RunRow[]; chosen: string | undefined }) =>
    rows.map((row) => <Row key={row.id} row={row} isChosen={row.id === chosen} />),
  (a, b) => a.chosen === b.chosen && hasSameItems(a.rows, b.rows),
);

const Row = memo(function Row({ row, isChosen }: { row: RunRow; isChosen: boolean }) {
  const now = Date.now();
  const { id, title, state, note, progress, starts, spans, cost } = row;
  const worked = sumSpans(spans, ['work', 'gate', 'merge'], now);
  const waited = sumSpans(spans, ['waits'], now);
  return (
    <tr className="row run-row" data-chosen={isChosen || undefined}>
      <td className="px-3 py-1.5 md:whitespace-nowrap">
        <a
          href={hrefOf(id)}
          data-row
          data-story={id}
          aria-current={isChosen || undefined}
          title={id}
          className="hover:underline"
        >
          {title}
        </a>
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
      <td className={FIGURE}>{formatDollars(cost)}</td>
    </tr>
  );
});
