import type { EpicHistoryAnswer } from '@saga-ai/types/screens/dashboard';
import { useQuery } from '@tanstack/react-query';
import { epicHistoryQuery } from '../api/queries.ts';
import { count } from '../text/amounts.ts';
import { formatMoment } from '../text/times.ts';
import { Flash } from '../ui/flash.tsx';
import { Section } from '../ui/section.tsx';
import { HistoryChart } from './history-chart.tsx';
import { placeHistory } from './history-line.ts';
import { HistoryTable } from './history-table.tsx';

/** Shows when the tasks of an epic were completed, as far as git and output files know. */
export function EpicHistory({ id }: { id: string }) {
  const { data, dataUpdatedAt } = useQuery(epicHistoryQuery(id));
  // The page shows more than the history, so a failed history gets no alert.
  if (!data || data.tasks.total === 0) return null;
  const { tasks, undated, points, isRead } = data;
  const placed = placeHistory(data, dataUpdatedAt);
  return (
    <Section
      id="history"
      title="Progress"
      count={
        <Flash value={tasks.completed}>
          {tasks.completed.toLocaleString('en')} of {count(tasks.total, 'task')}
        </Flash>
      }
    >
      {placed ? (
        <div className="panel px-4 pb-3 pt-4">
          <HistoryChart placed={placed} total={tasks.total} label={describe(data)} />
          <HistoryTable points={points} ms={placed.end - placed.start} />
        </div>
      ) : (
        <p className="text-sm text-faint">{isRead ? describe(data) : ' '}</p>
      )}
      {placed && isRead && undated > 0 ? (
        <p className="mt-1.5 text-xs text-faint">
          {count(undated, 'more task was', 'more tasks were')} completed at a time that neither git
          nor an output file knows; the line begins with {undated === 1 ? 'it' : 'them'}.
        </p>
      ) : null}
    </Section>
  );
}

/** Describes the chart in words. */
function describe({ tasks, points }: EpicHistoryAnswer): string {
  if (tasks.completed === 0) return 'No task is completed yet.';
  const done = `${tasks.completed} of ${count(tasks.total, 'task')} completed`;
  const first = points[0]?.time;
  const last = points.at(-1)?.time;
  if (first === undefined || last === undefined) {
    return `${done}; neither git nor an output file knows when.`;
  }
  return `${done}; the first ${formatMoment(first)}, the last ${formatMoment(last)}.`;
}
