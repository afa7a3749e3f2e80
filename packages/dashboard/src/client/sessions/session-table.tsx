import type { SessionSummary } from '@saga-ai/types/screens/dashboard';
import { describeWaiting } from '@saga-ai/types/screens/life';
import { lookOfSession } from '@saga-ai/types/screens/story-state';
import { formatDuration } from '@saga-ai/types/words/amounts';
import { Link } from '@tanstack/react-router';
import { formatDollars, formatTokens } from '../text/amounts.ts';
import { formatClock, formatDay } from '../text/times.ts';
import { Elapsed } from '../ui/moments.tsx';
import { StateTag } from '../ui/state-tag.tsx';

interface SessionTableProps {
  sessions: readonly (SessionSummary & { title?: string })[];
  /** Shows the story or epic of each session, for tables with several of them. */
  showsStory?: boolean;
}

const HEAD = 'whitespace-nowrap px-3 py-1.5 font-medium';
const FIGURE = 'whitespace-nowrap px-3 py-2 text-right';
/** Hidden on a phone: what does not fit there would be cut off without a sign. */
const MINOR = 'max-sm:hidden';

/** Compares sessions: how they ended, how long they took, what they cost. Each day has a heading. */
export function SessionTable({ sessions, showsStory = false }: SessionTableProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a region only because it scrolls
    <div
      role="region"
      aria-label="Table of sessions"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
      tabIndex={0}
      className="panel overflow-x-auto"
    >
      <table className="w-full text-sm">
        <thead className="border-b border-line text-left text-xs text-faint">
          <tr>
            <th className={HEAD}>Started</th>
            {showsStory ? <th className={HEAD}>Story</th> : null}
            <th className={HEAD}>Outcome</th>
            <th className={`${HEAD} w-full max-lg:hidden`}>Why</th>
            <th className={`${HEAD} ${MINOR} text-right`}>Cycles</th>
            <th className={`${HEAD} ${MINOR} text-right`}>Time</th>
            <th className={`${HEAD} ${MINOR} text-right`}>Tokens</th>
            <th className={`${HEAD} text-right`}>Cost</th>
          </tr>
        </thead>
        {groupByDay(sessions).map(([day, ofDay]) => (
          <tbody key={day} className="divide-y divide-line">
            <tr>
              <th
                colSpan={showsStory ? 8 : 7}
                scope="rowgroup"
                className="bg-sunken px-3 py-1 text-left text-xs font-medium text-soft"
              >
                {day}
              </th>
            </tr>
            {ofDay.map((session) => (
              <tr key={session.session} className="row">
                <td className="whitespace-nowrap px-3 py-2">
                  <Link
                    to="/sessions/$id"
                    params={{ id: session.session }}
                    data-row
                    className="link"
                  >
                    {formatClock(session.startedAt)}
                  </Link>
                </td>
                {showsStory ? (
                  <td className="px-3 py-2 sm:whitespace-nowrap">
                    <Link
                      to={session.isEpic ? '/epics/$id' : '/stories/$id'}
                      params={{ id: session.story }}
                      title={session.story}
                      className="hover:underline"
                    >
                      {session.title ?? session.story}
                    </Link>
                  </td>
                ) : null}
                <td className="px-3 py-2">
                  <StateTag state={lookOfSession(session.state, session.outcome)} />
                </td>
                <td className="px-3 py-2 text-soft max-lg:hidden">
                  <span className="line-clamp-2">{session.reason ?? describeWork(session)}</span>
                </td>
                <td className={`${FIGURE} ${MINOR}`}>{session.cycle}</td>
                <td className={`${FIGURE} ${MINOR}`}>
                  <Took session={session} />
                </td>
                <td className={`${FIGURE} ${MINOR}`}>{formatTokens(session.tokens)}</td>
                <td className={FIGURE}>{formatDollars(session)}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function groupByDay<T extends SessionSummary>(sessions: readonly T[]): [day: string, T[]][] {
  return [...Map.groupBy(sessions, ({ startedAt }) => formatDay(startedAt))];
}

function describeWork({ waiting, task = '' }: SessionSummary): string {
  return waiting ? describeWaiting(waiting) : task;
}

/** The end time of a session that died is not known. */
function Took({ session: { state, startedAt, endedAt } }: { session: SessionSummary }) {
  if (state === 'running') return <Elapsed since={startedAt} />;
  return endedAt === undefined ? '–' : formatDuration(Date.parse(endedAt) - Date.parse(startedAt));
}
