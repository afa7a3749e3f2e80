import { lookOfRun } from '@saga-ai/types/screens/epic-run/describe-run';
import type { EpicRunAnswer, Merge, RunForecast } from '@saga-ai/types/screens/epic-run/epic-run';
import { STATES } from '@saga-ai/types/screens/story-state';
import { formatDuration } from '@saga-ai/types/words/amounts';
import { formatPullRequest } from '@saga-ai/types/words/pull-request-number';
import { Link } from '@tanstack/react-router';
import { formatDollars } from '../text/amounts.ts';
import { formatClock, formatMinute } from '../text/times.ts';
import { useNowAs } from '../ui/clock.ts';
import { Flash } from '../ui/flash.tsx';
import { Hint } from '../ui/hint.tsx';
import { Elapsed } from '../ui/moments.tsx';
import { StateTag } from '../ui/state-tag.tsx';
import { WebLink } from '../ui/web-link.tsx';
import { RunControls } from './run-controls.tsx';
import { RunStrip } from './run-strip.tsx';

/** The state of a run, its figures and what one can do about it. It stays in sight. */
export function RunHead({ epicId, answer }: { epicId: string; answer: EpicRunAnswer }) {
  const { state, run, stories, holdUps } = answer;
  const merged = stories.filter((it) => it.state === 'done').length;
  return (
    <section
      aria-label="Run"
      className="sticky top-12 z-10 -mx-3 border-b border-line bg-page px-3 py-2 sm:-mx-5 sm:px-5"
    >
      <div className="flex items-start gap-x-5 gap-y-2 text-sm text-soft max-md:flex-wrap">
        <div className="flex min-h-7 min-w-0 grow flex-wrap items-center gap-x-5 gap-y-1 max-md:basis-full">
          <span className="flex flex-wrap gap-2">
            <StateTag state={lookOfRun(state, run?.outcome ?? null)} />
            {holdUps.length > 0 ? (
              <a href="#holds-up">
                <StateTag
                  state={{
                    ...STATES['needs-you'],
                    word: holdUps.length === 1 ? '1 needs you' : `${holdUps.length} need you`,
                  }}
                />
              </a>
            ) : null}
          </span>
          <Flash value={merged}>
            <Figure>{merged}</Figure> of {stories.length} merged
          </Flash>
          {run ? (
            <>
              <span>
                <Figure>
                  {run.endedAt === null ? (
                    <Elapsed since={run.startedAt} />
                  ) : (
                    formatDuration(Date.parse(run.endedAt) - Date.parse(run.startedAt))
                  )}
                </Figure>{' '}
                {run.endedAt === null ? 'so far' : 'in all'}
              </span>
              {run.forecast ? (
                <Forecast forecast={run.forecast} isHeldUp={holdUps.length > 0} />
              ) : null}
              {run.cost.costUsd === 0 ? null : (
                <span className="max-sm:hidden">
                  <Figure>{formatDollars(run.cost)}</Figure> spent
                </span>
              )}
              <Branch branch={run.branch} last={run.merges.at(-1)} />
              {run.pr === null ? null : (
                <span className="max-sm:hidden">
                  <WebLink to={run.pr}>{formatPullRequest(run.pr)}</WebLink>
                </span>
              )}
              <Link
                to="/sessions/$id"
                params={{ id: run.session }}
                className="link text-xs max-sm:hidden"
              >
                log
              </Link>
            </>
          ) : (
            <span>never run</span>
          )}
        </div>
        <RunControls epicId={epicId} answer={answer} isDone={merged === stories.length} />
      </div>
      {run && run.endedAt !== null && run.reason !== null && run.outcome !== 'done' ? (
        <p className="mt-1 text-sm">
          {run.reason}
          {run.hint === null ? null : (
            <span className="text-soft">
              {' '}
              <Hint text={run.hint} />
            </span>
          )}
        </p>
      ) : null}
      <RunStrip stories={stories} />
    </section>
  );
}

interface ForecastProps {
  forecast: RunForecast;
  isHeldUp: boolean;
}

/** Shows roughly how long the run still takes, and when it will end. */
function Forecast({ forecast: { endsAt, basedOn }, isHeldUp }: ForecastProps) {
  const left = useNowAs((now) => formatRoughly(endsAt - now));
  return (
    <span title={`If every task takes as long as in ${basedOn} finished stories`}>
      <Figure>~{left}</Figure> left, done about {formatMinute(endsAt)}
      {isHeldUp ? <span className="max-lg:hidden"> if you help now</span> : null}
    </span>
  );
}

/** Formats a duration without seconds, because a forecast is not that exact. */
function formatRoughly(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

function Figure({ children }: { children: React.ReactNode }) {
  return <span className="text-base font-semibold text-ink">{children}</span>;
}

const PROOFS: Readonly<Record<Merge['verified'], string>> = {
  gate: '✓ verified',
  verify: '✓ verified',
  none: 'not verified: there is no verify command',
};

function Branch({ branch, last }: { branch: string | null; last: Merge | undefined }) {
  if (branch === null) return null;
  return (
    <span className="font-mono text-xs max-xl:hidden">
      {branch}
      {last ? ` @ ${last.commit.slice(0, 7)} ` : null}
      {last ? (
        <span className={last.verified === 'none' ? 'text-waiting' : 'text-done'}>
          {PROOFS[last.verified]} {formatClock(new Date(last.at).toISOString())}
        </span>
      ) : null}
    </span>
  );
}
