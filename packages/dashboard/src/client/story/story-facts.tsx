import type { StoryAnswer, WaitedFor } from '@saga-ai/types/screens/dashboard';
import { isChecked } from '@saga-ai/types/screens/life';
import { formatPullRequest } from '@saga-ai/types/words/pull-request-number';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatDollars, formatTokens, sumCosts } from '../text/amounts.ts';
import { Flash } from '../ui/flash.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { WebLink } from '../ui/web-link.tsx';

export function StoryFacts({
  answer: { view, sessions, evidence, diff, waitsFor },
}: {
  answer: StoryAnswer;
}) {
  const tokens = sessions.reduce((sum, session) => sum + session.tokens, 0);
  const cost = formatDollars(sumCosts(sessions));
  return (
    <dl className="panel grid grid-cols-2 gap-x-4 gap-y-2.5 px-4 py-3 text-sm sm:grid-cols-4 lg:grid-cols-1">
      <Fact name="Tasks">
        <ProgressBar progress={view.progress} of="tasks" wide />
      </Fact>
      <Fact name="Pull request">
        {view.pr === null ? <None /> : <WebLink to={view.pr}>{formatPullRequest(view.pr)}</WebLink>}
      </Fact>
      <Fact name="Branch">
        {view.branch === null ? <None /> : <span className="font-mono text-xs">{view.branch}</span>}
      </Fact>
      <Fact name="Gate">
        {evidence === null ? (
          <span className="text-faint">not run yet</span>
        ) : evidence.outcome === 'passed' ? (
          <a
            href="#evidence"
            className={`underline ${view.unverified || !isChecked(view) ? 'text-waiting' : 'text-done'}`}
          >
            {isChecked(view) ? '✓ passed' : '! passed earlier'}
            {view.unverified ? ', unverified' : ''}
          </a>
        ) : (
          <a href="#evidence" className="text-needs-you underline">
            ✗ failed
          </a>
        )}
      </Fact>
      <Fact name="Changed">
        {diff === null ? (
          <None />
        ) : (
          <a href="#diff" className="link">
            {diff.files.length} {diff.files.length === 1 ? 'file' : 'files'}
          </a>
        )}
      </Fact>
      <Fact name="Cost">
        {tokens === 0 ? (
          <None />
        ) : (
          <>
            <Flash value={cost}>{cost}</Flash>{' '}
            <span className="text-faint">{formatTokens(tokens)} tok</span>
          </>
        )}
      </Fact>
      {waitsFor.length > 0 ? (
        <Fact name="Waits for">
          <ul>
            {waitsFor.map((item) => (
              <li key={item.id} className="truncate">
                <WaitedForLink item={item} />
              </li>
            ))}
          </ul>
        </Fact>
      ) : null}
    </dl>
  );
}

function WaitedForLink({ item: { id, title, kind } }: { item: WaitedFor }) {
  if (kind === undefined) return <span title="The plan has no such item">{id} (missing)</span>;
  const to = kind === 'epic' ? '/epics/$id' : '/stories/$id';
  return (
    <Link to={to} params={{ id }} title={`${kind} ${id}`} className="link">
      {title}
    </Link>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-faint">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

const None = () => <span className="text-faint">none yet</span>;
