import type { StoryView } from '@saga-ai/types/screens/overview';
import { stateOfStory } from '@saga-ai/types/screens/story-state';
import { Link } from '@tanstack/react-router';
import { describeCurrentTask } from '../state/current-task.ts';
import { formatDollars, formatTokens } from '../text/amounts.ts';
import { Flash } from '../ui/flash.tsx';
import { Elapsed } from '../ui/moments.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { Section } from '../ui/section.tsx';
import { StateGlyph } from '../ui/state-glyph.tsx';
import { MoreStories } from './more-stories.tsx';

const SHOWN = 20;

export function RunningStories({
  stories,
  total,
}: {
  stories: readonly StoryView[];
  total: number;
}) {
  const shown = stories.slice(0, SHOWN);
  return (
    <Section id="running" title="Running" count={total}>
      {stories.length === 0 ? (
        <p className="text-sm text-faint">No worker is running.</p>
      ) : (
        <ul className="panel divide-y divide-line overflow-hidden">
          {shown.map((story) => (
            <li key={story.id}>
              <RunningRow story={story} />
            </li>
          ))}
        </ul>
      )}
      <MoreStories shown={shown.length} total={total} filter="running" />
    </Section>
  );
}

/** The numbers have their own columns, so that a longer number does not move the text. */
function RunningRow({ story }: { story: StoryView }) {
  const { session } = story;
  const task = describeCurrentTask(story);
  return (
    <Link
      to="/stories/$id"
      params={{ id: story.id }}
      data-row
      className="row grid grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-0.5 px-4 py-2.5 lg:grid-cols-[auto_minmax(9rem,14rem)_1fr_auto_auto]"
    >
      <StateGlyph state={stateOfStory(story)} />
      <span className="truncate font-medium">{story.title}</span>
      <span className="max-lg:order-1 col-start-2 col-end-4 min-w-0 lg:col-auto">
        <Flash value={task} className="block truncate text-sm">
          {task}
        </Flash>
        <Flash
          value={session?.activity}
          className="block h-[1.125rem] truncate font-mono text-xs text-faint"
        >
          {session?.activity}
        </Flash>
      </span>
      <ProgressBar progress={story.progress} of="tasks" />
      {/* Also without a session yet, so that nothing moves when its record arrives. */}
      <span className="col-start-2 col-end-4 flex gap-x-3 max-lg:order-2 text-xs text-soft lg:col-auto lg:grid lg:min-h-[1.125rem] lg:grid-cols-[4.5rem_3.5rem_4.5rem_4rem] lg:text-right">
        {session ? (
          <>
            <span>cycle {session.cycle}</span>
            <span>
              <Elapsed since={session.startedAt} />
            </span>
            <span>{formatTokens(session.tokens)} tok</span>
            <span>{formatDollars(session)}</span>
          </>
        ) : null}
      </span>
    </Link>
  );
}
