import type { RunRow } from '@saga-ai/types/screens/epic-run/epic-run';
import type { RunReport as Report } from '@saga-ai/types/screens/epic-run/report';
import { formatDuration } from '@saga-ai/types/words/amounts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { count, formatCost } from '../text/amounts.ts';
import { Section } from '../ui/section.tsx';

/** The report of a run that is over. */
export function RunReport({ report, stories }: { report: Report; stories: readonly RunRow[] }) {
  const titles = new Map(stories.map((it) => [it.id, it.title]));
  const { makespanMs, criticalMs, criticalPath, idleMs, peopleMs, merged, retries } = report;
  const path = criticalPath.map((id) => titles.get(id) ?? id).join(' → ');
  const ratio = criticalMs > 0 ? makespanMs / criticalMs : undefined;
  return (
    <Section id="report" title="Report">
      <dl className="panel grid grid-cols-2 gap-x-6 gap-y-3 px-4 py-3 sm:grid-cols-3 lg:grid-cols-6">
        <Figure name="It took" value={formatDuration(makespanMs)}>
          {ratio === undefined ? null : `${ratio.toFixed(2)} × the critical path`}
        </Figure>
        <Figure name="Critical path" value={formatDuration(criticalMs)} title={path}>
          {count(criticalPath.length, 'story', 'stories')}
        </Figure>
        <Figure name="Idle jobs" value={formatDuration(idleMs)}>
          without a story to work on
        </Figure>
        <Figure name="Waited for you" value={formatDuration(peopleMs)}>
          at least one story
        </Figure>
        <Figure name="Cost a story" value={formatCost(merged > 0 ? report.costUsd / merged : 0)}>
          {report.costUsd > 0
            ? `${formatCost(report.costUsd)} for ${count(merged, 'merge')}`
            : 'no cost is known'}
        </Figure>
        <Figure name="Retries" value={String(retries)}>
          workers that were started again
        </Figure>
      </dl>
      {report.slowest.length > 0 ? (
        <p className="mt-2 text-sm text-soft">
          Slowest:{' '}
          {report.slowest.map(({ id, ms }, i) => (
            <span key={id}>
              {i > 0 ? ', ' : null}
              <Link to="/stories/$id" params={{ id }} className="link">
                {titles.get(id) ?? id}
              </Link>{' '}
              {formatDuration(ms)}
            </span>
          ))}
        </p>
      ) : null}
    </Section>
  );
}

interface FigureProps {
  name: string;
  value: string;
  title?: string;
  children: ReactNode;
}

function Figure({ name, value, title, children }: FigureProps) {
  return (
    <div title={title}>
      <dt className="text-xs text-faint">{name}</dt>
      <dd>
        <span className="block text-lg font-semibold">{value}</span>
        <span className="block text-xs text-soft">{children}</span>
      </dd>
    </div>
  );
}
