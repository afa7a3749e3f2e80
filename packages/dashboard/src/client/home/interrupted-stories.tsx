import type { StoryView } from '@saga-ai/types/screens/overview';
import { stateOfStory } from '@saga-ai/types/screens/story-state';
import { Link } from '@tanstack/react-router';
import { ActionResult } from '../actions/action-result.tsx';
import { useStoryAction } from '../actions/use-story-action.ts';
import { RunButton } from '../story/run-button.tsx';
import { Command } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';
import { StateGlyph } from '../ui/state-glyph.tsx';
import { MoreStories } from './more-stories.tsx';

const SHOWN = 8;

interface InterruptedStoriesProps {
  stories: readonly StoryView[];
  total: number;
}

/** Stories that were begun and that nobody works on: each with how its worker ended, and with what helps. */
export function InterruptedStories({ stories, total }: InterruptedStoriesProps) {
  if (stories.length === 0) return null;
  const shown = stories.slice(0, SHOWN);
  return (
    <Section id="interrupted" title="Interrupted" count={total.toLocaleString('en')}>
      <ul className="panel divide-y divide-line overflow-hidden border-l-[3px] border-l-waiting">
        {shown.map((story) => (
          <li key={story.id}>
            <InterruptedRow key={story.state} story={story} />
          </li>
        ))}
      </ul>
      <MoreStories shown={shown.length} total={total} filter="interrupted" />
    </Section>
  );
}

function InterruptedRow({ story }: { story: StoryView }) {
  const action = useStoryAction(story.id);
  const canRun = story.hindrances.length === 0;
  const { remedy } = story;
  return (
    <>
      <div className="row flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
        <Link
          to="/stories/$id"
          params={{ id: story.id }}
          data-row
          className="flex min-w-0 grow basis-64 items-baseline gap-2.5"
        >
          <StateGlyph state={stateOfStory(story)} />
          <span className="min-w-0">
            <span className="block truncate font-medium">{story.title}</span>
            <span className="line-clamp-2 text-sm text-soft">{story.reason}</span>
            {remedy === null ? null : <span className="block text-sm text-faint">{remedy}</span>}
          </span>
        </Link>
        <span className="ml-auto flex items-center gap-3">
          {story.next === null ? null : <Command>{story.next}</Command>}
          {canRun ? <RunButton story={story} action={action} /> : null}
        </span>
      </div>
      {action.error ? (
        <p className="border-t border-line bg-sunken px-4 py-2">
          <ActionResult action={action} />
        </p>
      ) : null}
    </>
  );
}
