import type { StoryAnswer } from '@saga-ai/types/screens/dashboard';
import { stateOfStory } from '@saga-ai/types/screens/story-state';
import { Link } from '@tanstack/react-router';
import { describeCurrentTask } from '../state/current-task.ts';
import { EDGE } from '../state/tone-classes.ts';
import { formatDollars, formatTokens } from '../text/amounts.ts';
import { Flash } from '../ui/flash.tsx';
import { Elapsed } from '../ui/moments.tsx';
import { Command } from '../ui/notice.tsx';
import { StateTag } from '../ui/state-tag.tsx';
import { StoryActions } from './story-actions.tsx';
import { TellForm } from './tell-form.tsx';

export function StoryHeader({ answer: { view } }: { answer: StoryAnswer }) {
  const { session } = view;
  return (
    <header>
      <p className="mb-1 flex flex-wrap items-center gap-x-2 text-xs text-faint">
        <span>story</span>
        <span className="font-mono">{view.id}</span>
        {view.epic === null ? null : (
          <span>
            in{' '}
            <Link to="/epics/$id" params={{ id: view.epic }} className="link">
              {view.epic}
            </Link>
          </span>
        )}
        {view.labels.map((label) => (
          <span key={label} className="rounded-full border border-line px-1.5">
            {label}
          </span>
        ))}
      </p>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-xl font-semibold">{view.title}</h1>
          <StateTag state={stateOfStory(view)} />
        </div>
        <div className="ml-auto flex flex-wrap items-center justify-end gap-2">
          <Link to="/plan/$id" params={{ id: view.id }} className="button text-sm">
            Edit
          </Link>
          <StoryActions key={view.id} view={view} />
        </div>
      </div>
      {session || view.state === 'done' ? null : (
        <p className="mt-2 flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm text-soft">
          <span>{view.reason}</span>
          {view.remedy === null ? null : <span>{view.remedy}</span>}
          {view.next === null ? null : <Command>{view.next}</Command>}
        </p>
      )}
      {session ? (
        <Link
          to="/sessions/$id"
          params={{ id: session.session }}
          className={`row mt-3 flex items-center gap-x-4 gap-y-1 rounded-lg max-md:flex-wrap border border-line border-l-4 bg-panel px-3 py-2 text-sm ${EDGE[stateOfStory(view).tone]}`}
        >
          <Flash value={session.task} className="shrink-0 font-medium">
            {describeCurrentTask(view)}
          </Flash>
          <span className="min-w-0 grow basis-0 truncate font-mono text-xs text-faint max-md:basis-full">
            {session.activity}
          </span>
          <span className="flex shrink-0 gap-3 text-xs text-soft">
            <span>cycle {session.cycle}</span>
            <span className="min-w-12 text-right">
              <Elapsed since={session.startedAt} />
            </span>
            <span>{formatTokens(session.tokens)} tok</span>
            <span>{formatDollars(session)}</span>
          </span>
          <span className="link shrink-0">Watch</span>
        </Link>
      ) : null}
      {view.running ? (
        <div className="mt-2">
          <TellForm storyId={view.id} />
        </div>
      ) : null}
    </header>
  );
}
