import type { EpicAnswer } from '@saga-ai/types/screens/dashboard';
import type { StoryView } from '@saga-ai/types/screens/overview';
import { type State, stateOfEpic, stateOfStory } from '@saga-ai/types/screens/story-state';
import { formatPullRequest } from '@saga-ai/types/words/pull-request-number';
import { Link } from '@tanstack/react-router';
import { TEXT } from '../state/tone-classes.ts';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { StateTag } from '../ui/state-tag.tsx';
import { WebLink } from '../ui/web-link.tsx';

interface EpicHeaderProps {
  answer: EpicAnswer;
  /** True if the head of the run already shows the progress, the branch and the pull request. */
  hasRun: boolean;
  /** True while the run goes on. Then the head of the run also shows the state. */
  isRunning: boolean;
}

export function EpicHeader({ answer: { epic, stories }, hasRun, isRunning }: EpicHeaderProps) {
  return (
    <header>
      <p className="mb-1 flex flex-wrap items-center gap-x-2 text-xs text-faint">
        <span>epic</span>
        <span className="font-mono">{epic.id}</span>
        {epic.epic === null ? null : (
          <span>
            in{' '}
            <Link to="/epics/$id" params={{ id: epic.epic }} className="link">
              {epic.epic}
            </Link>
          </span>
        )}
      </p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h1 className="text-xl font-semibold">{epic.title}</h1>
        {isRunning ? null : <StateTag state={stateOfEpic(epic)} />}
        <div className="ml-auto flex flex-wrap gap-2">
          <Link to="/plan/$id" params={{ id: epic.id }} className="button text-sm">
            Edit
          </Link>
          {epic.branch === null ? null : (
            <Link to="/epics/$id/review" params={{ id: epic.id }} className="button text-sm">
              Review
            </Link>
          )}
        </div>
      </div>
      {hasRun ? null : (
        <div className="mt-3 flex flex-wrap items-center gap-x-6 gap-y-2 text-sm">
          <div className="w-full max-w-64">
            <ProgressBar progress={epic.progress} of="stories" wide />
          </div>
          <StateCounts stories={stories} />
          {epic.branch === null ? null : (
            <span className="font-mono text-xs text-soft">{epic.branch}</span>
          )}
          {epic.pr === null ? null : (
            <span>
              pull request <WebLink to={epic.pr}>{formatPullRequest(epic.pr)}</WebLink>
            </span>
          )}
        </div>
      )}
    </header>
  );
}

function StateCounts({ stories }: { stories: readonly StoryView[] }) {
  const counts = new Map<string, { state: State; n: number }>();
  for (const story of stories) {
    const state = stateOfStory(story);
    counts.set(state.word, { state, n: (counts.get(state.word)?.n ?? 0) + 1 });
  }
  return (
    <ul aria-label="Stories by state" className="flex flex-wrap gap-x-4 gap-y-1">
      {[...counts.values()].map(({ state, n }) => (
        <li key={state.word}>
          <span
            aria-hidden="true"
            className={`mr-1.5 font-glyph font-semibold ${TEXT[state.tone]}`}
          >
            {state.glyph}
          </span>
          {n} <span className="text-soft">{state.word}</span>
        </li>
      ))}
    </ul>
  );
}
