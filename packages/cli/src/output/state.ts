import type { TaskStatus } from '@saga-ai/types/plan/task';
import { findStoryNews, REASON_WORDS } from '@saga-ai/types/screens/describe-story';
import type { SessionView, StoryView } from '@saga-ai/types/screens/overview';
import { stateOfTask as lookOfTask, type State } from '@saga-ai/types/screens/story-state';
import { formatDuration, formatSpent } from '@saga-ai/types/words/amounts';
import { formatAge } from '@saga-ai/types/words/times';
import { cleanLine } from './text.ts';

/** Returns the state of a task if it is not known whether a worker runs. */
export function stateOfTask(status: TaskStatus, isWaiting: boolean): State {
  return lookOfTask({ status }, { isRunning: false, isWaiting });
}

/** Says what a person should know besides the progress. Returns an empty text if there is nothing. */
export function describeStory(story: StoryView): string {
  const news = findStoryNews(story);
  switch (news.kind) {
    case 'at-work':
      return describeSession(news.session, news.task);
    case 'needs-you': {
      const { reason, more } = news;
      const since = reason.since ? `, ${formatAge(reason.since, Date.now())}` : '';
      const rest = more > 0 ? `, ${more} more` : '';
      return `needs you: ${cleanLine(reason.title)} (${REASON_WORDS[reason.kind]}${since}${rest})`;
    }
    case 'done':
      return [story.unverified ? 'unverified' : '', story.pr ?? ''].filter(Boolean).join(' · ');
    case 'other':
      return cleanLine(news.text);
  }
}

function describeSession(session: SessionView, task: string | null): string {
  const { activity, cycle, startedAt, startedIn, tokens } = session;
  return [
    task,
    activity,
    `cycle ${cycle}`,
    formatDuration(Date.now() - Date.parse(startedAt)),
    startedIn === undefined ? null : `started in ${startedIn}`,
    ...formatSpent(tokens, session),
  ]
    .flatMap((it) => (it ? [cleanLine(it)] : []))
    .join(' · ');
}

export function formatProgress({ completed, total }: { completed: number; total: number }): string {
  return `${completed}/${total}`;
}

export function formatBar({ completed, total }: { completed: number; total: number }): string {
  const width = 12;
  const full = total === 0 ? 0 : Math.floor((completed / total) * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
}
