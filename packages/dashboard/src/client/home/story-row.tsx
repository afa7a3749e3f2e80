import type { StoryView } from '@saga-ai/types/screens/overview';
import { stateOfStory } from '@saga-ai/types/screens/story-state';
import { formatPullRequest } from '@saga-ai/types/words/pull-request-number';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { describeStory } from '../state/describe-story.ts';
import { Flash } from '../ui/flash.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { StateGlyph } from '../ui/state-glyph.tsx';

interface StoryRowProps {
  story: StoryView;
  /** Hides the epic, because the page already names it. */
  hidesEpic?: boolean;
}

export const StoryRow = memo(function StoryRow({ story, hidesEpic = false }: StoryRowProps) {
  const state = stateOfStory(story);
  return (
    <Link
      to="/stories/$id"
      params={{ id: story.id }}
      data-row
      className="row grid h-full min-h-9 grid-cols-[auto_1fr_auto] items-center gap-x-2.5 px-4 lg:grid-cols-[auto_minmax(10rem,18rem)_1fr_8rem_3rem_auto]"
    >
      <Flash value={state.word}>
        <StateGlyph state={state} />
      </Flash>
      <span className="truncate">{story.title}</span>
      <span className="order-last col-start-2 col-end-4 truncate text-sm text-faint lg:order-none lg:col-auto">
        {describeStory(story)}
      </span>
      <span className="hidden truncate font-mono text-xs text-faint lg:block">
        {hidesEpic ? '' : story.epic}
      </span>
      <span className="hidden text-right text-xs text-soft lg:block">
        {story.pr ? formatPullRequest(story.pr) : ''}
      </span>
      <ProgressBar progress={story.progress} of="tasks" />
    </Link>
  );
});
