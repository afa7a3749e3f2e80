import { findStoryNews } from '@saga-ai/types/screens/describe-story';
import type { StoryView } from '@saga-ai/types/screens/overview';
import { formatPullRequest } from '@saga-ai/types/words/pull-request-number';

/** Says what a person should know besides the progress. Returns an empty text if there is nothing. */
export function describeStory(story: StoryView): string {
  const news = findStoryNews(story);
  switch (news.kind) {
    case 'at-work':
      return [news.task, news.session.activity].filter(Boolean).join(' · ');
    case 'needs-you':
      return news.more > 0 ? `${news.reason.title} (${news.more} more)` : news.reason.title;
    case 'done':
      return '';
    case 'other':
      return news.text;
  }
}

/** Like `describeStory`, in a few words. */
export function describeBriefly(story: StoryView): string {
  const news = findStoryNews(story);
  if (news.kind === 'at-work') return news.task ?? 'preparing';
  if (news.kind !== 'done') return describeStory(story);
  return story.pr ? `pull request ${formatPullRequest(story.pr)}` : 'done';
}
