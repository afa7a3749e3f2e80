import type { StoryView } from '@saga-ai/types/screens/overview';
import { stateOfStory } from '@saga-ai/types/screens/story-state';
import { Link } from '@tanstack/react-router';
import { formatPullRequest } from '../text/links.ts';
import { Section } from '../ui/section.tsx';
import { StateGlyph } from '../ui/state-glyph.tsx';
import { WebLink } from '../ui/web-link.tsx';
import { MoreStories } from './more-stories.tsx';

const SHOWN = 8;

interface ReviewStoriesProps {
  stories: readonly StoryView[];
  total: number;
}

/** Stories that passed their gate and wait for a person to merge them. */
export function ReviewStories({ stories, total }: ReviewStoriesProps) {
  if (stories.length === 0) return null;
  const shown = stories.slice(0, SHOWN);
  return (
    <Section id="in-review" title="In review" count={total.toLocaleString('en')}>
      <ul className="panel divide-y divide-line overflow-hidden">
        {shown.map((story) => (
          <li key={story.id} className="row flex items-center gap-3 pr-4">
            <Link
              to="/stories/$id"
              params={{ id: story.id }}
              hash="diff"
              data-row
              className="flex min-h-10 min-w-0 grow items-center gap-2.5 py-1.5 pl-4"
            >
              <StateGlyph state={stateOfStory(story)} />
              <span className="truncate">{story.title}</span>
              <span className="ml-auto hidden shrink-0 text-sm text-faint sm:inline">
                {story.reason}
              </span>
            </Link>
            {story.pr === null ? null : (
              <span className="text-sm">
                <WebLink to={story.pr}>
                  Open<span className="sr-only"> {formatPullRequest(story.pr)}</span>
                </WebLink>
              </span>
            )}
          </li>
        ))}
      </ul>
      <MoreStories shown={shown.length} total={total} filter="in-review" />
    </Section>
  );
}
