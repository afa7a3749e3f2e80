import type { SessionAnswer } from '@saga-ai/types/screens/dashboard';
import { lookOfSession } from '@saga-ai/types/screens/story-state';
import { formatDuration } from '@saga-ai/types/words/amounts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatBytes, formatDollars, formatTokens } from '../text/amounts.ts';
import { formatMoment } from '../text/times.ts';
import { Flash } from '../ui/flash.tsx';
import { Hint } from '../ui/hint.tsx';
import { Elapsed } from '../ui/moments.tsx';
import { Command } from '../ui/notice.tsx';
import { StateTag } from '../ui/state-tag.tsx';

export function SessionHeader({ answer: { session, view } }: { answer: SessionAnswer }) {
  const { hint = '' } = session;
  const isOver = session.state !== 'running' && session.outcome !== 'done';
  const { startedAt, endedAt, state } = session;
  return (
    <header className="border-b border-line px-3 pb-3 pt-4 sm:px-5">
      <p className="mb-0.5 text-xs text-faint">
        session <span className="font-mono">{session.session}</span>
      </p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h1 className="text-lg font-semibold">
          <Link
            to={session.isEpic ? '/epics/$id' : '/stories/$id'}
            params={{ id: session.story }}
            className="hover:underline"
          >
            {session.title}
          </Link>
        </h1>
        <StateTag state={lookOfSession(session.state, session.outcome)} />
        <dl className="flex flex-wrap gap-x-4 text-xs text-soft sm:ml-auto">
          <Fact name="Started">{formatMoment(startedAt)}</Fact>
          <Fact name="Time">
            {state === 'running' ? (
              <Elapsed since={startedAt} />
            ) : endedAt ? (
              formatDuration(Date.parse(endedAt) - Date.parse(startedAt))
            ) : (
              '–'
            )}
          </Fact>
          <Fact name="Cycle" isMinor>
            {session.cycle}
          </Fact>
          <Fact name="Model" isMinor>
            {session.model}
          </Fact>
          <Fact name="Tokens">
            <Flash value={session.tokens}>{formatTokens(session.tokens)}</Flash>
          </Fact>
          <Fact name="Cost">{formatDollars(session)}</Fact>
          {session.outputSize === null ? null : (
            <Fact name="Log">{formatBytes(session.outputSize)}</Fact>
          )}
        </dl>
      </div>
      {session.reason ? <p className="mt-1 text-sm text-soft">{session.reason}</p> : null}
      {hint === '' ? null : (
        <p className="mt-0.5 text-sm">
          <span aria-hidden="true" className="text-faint">
            →{' '}
          </span>
          <Hint text={hint} />
        </p>
      )}
      {isOver && hint === '' && view && view.next !== null ? (
        <p className="mt-1 text-sm text-soft">
          <span aria-hidden="true" className="text-faint">
            →{' '}
          </span>
          <Command>{view.next}</Command>
        </p>
      ) : null}
    </header>
  );
}

interface FactProps {
  name: string;
  /** True if the value is hidden on a phone. */
  isMinor?: boolean;
  children: ReactNode;
}

function Fact({ name, isMinor = false, children }: FactProps) {
  return (
    <div className={`gap-1.5 ${isMinor ? 'hidden sm:flex' : 'flex'}`}>
      <dt className="text-faint max-sm:sr-only">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
