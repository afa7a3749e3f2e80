import type { StoryView } from '@saga-ai/types/screens/overview';
import { stateOfStory } from '@saga-ai/types/screens/story-state';
import { Link } from '@tanstack/react-router';
import { ActionResult } from '../actions/action-result.tsx';
import { useStoryAction } from '../actions/use-story-action.ts';
import { RunButton } from '../story/run-button.tsx';
import { count } from '../text/amounts.ts';
import { Section } from '../ui/section.tsx';
import { StateGlyph } from '../ui/state-glyph.tsx';
import { MoreStories } from './more-stories.tsx';

const SHOWN = 8;

interface NextStoriesProps {
  stories: readonly StoryView[];
  total: number;
  /** The number of stories that wait for others. */
  waiting: number;
}

export function NextStories({ stories, total, waiting }: NextStoriesProps) {
  const shown = stories.slice(0, SHOWN);
  return (
    <Section id="next" title="Next" count={`${total.toLocaleString('en')} ready`}>
      {shown.length === 0 ? (
        <p className="text-sm text-faint">
          Nothing could start now.
          {waiting > 0 ? ' The list of all stories shows what each of them waits for.' : ''}
        </p>
      ) : (
        <ul className="panel divide-y divide-line overflow-hidden">
          {shown.map((story) => (
            <li key={story.id}>
              <NextRow story={story} />
            </li>
          ))}
        </ul>
      )}
      <MoreStories shown={shown.length} total={total} filter="ready" />
    </Section>
  );
}

function NextRow({ story }: { story: StoryView }) {
  const action = useStoryAction(story.id);
  return (
    <>
      <div className="row flex items-center gap-3 pr-3">
        <Link
          to="/stories/$id"
          params={{ id: story.id }}
          data-row
          className="flex min-h-10 min-w-0 grow items-center gap-2.5 px-4 py-1.5"
        >
          <StateGlyph state={stateOfStory(story)} />
          <span className="truncate">{story.title}</span>
          <span className="ml-auto shrink-0 text-xs text-faint">
            {count(story.progress.total, 'task')}
          </span>
        </Link>
        <RunButton story={story} action={action} />
      </div>
      {action.error ? (
        <p className="border-t border-line bg-sunken px-4 py-2 pl-[2.625rem]">
          <ActionResult action={action} />
        </p>
      ) : null}
    </>
  );
}
