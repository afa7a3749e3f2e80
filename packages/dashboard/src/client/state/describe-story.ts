import type { StoryView } from '@saga-ai/types/screens/overview';
import { isStalled } from '@saga-ai/types/screens/stall';
import { formatPullRequest } from '../text/links.ts';

/** What a person should know beside the progress; empty when there is nothing. */
export function describeStory(story: StoryView): string {
  const { session, needsYou, blockedBy } = story;
  if (session && !isStalled(story))
    return [session.task ?? story.working, session.activity].filter(Boolean).join(' · ');
  const [reason, ...more] = needsYou ?? [];
  if (reason) return more.length > 0 ? `${reason.title} (${more.length} more)` : reason.title;
  if (story.status === 'completed') return '';
  if (story.working) return story.working;
  if (blockedBy.length > 0) return `waits for ${blockedBy.join(', ')}`;
  if (story.ready) return 'ready';
  return story.progress.total === 0 ? 'no tasks yet' : 'see problems';
}

/** The same where there is room for a few words only. */
export function describeBriefly(story: StoryView): string {
  if (story.session && !isStalled(story)) return story.session.task ?? story.working ?? 'preparing';
  if (story.status === 'completed' && !story.needsYou) {
    return story.pr ? `pull request ${formatPullRequest(story.pr)}` : 'completed';
  }
  return describeStory(story);
}

/** The calls of a client name whole paths; people know where the worktree is. */
export function shortenPaths(text: string): string {
  return text.replace(/\/\S*?(?:\.stories|\/\.saga\/worktrees)\/[^/\s]+\//g, '');
}
