import type { Reason, SessionView, StoryView } from './overview.ts';
import { isStalled } from './stall.ts';

/** The one thing that a person should know about a story besides its progress. Each screen words it itself. */
export type StoryNews =
  | { kind: 'at-work'; session: SessionView; task: string | null }
  | { kind: 'needs-you'; reason: Reason; more: number }
  | { kind: 'completed' }
  | { kind: 'other'; text: string };

export function findStoryNews(story: StoryView): StoryNews {
  const { session, needsYou, working, blockedBy } = story;
  if (session && !isStalled(story)) {
    return { kind: 'at-work', session, task: session.task ?? working };
  }
  const [reason, ...more] = needsYou ?? [];
  if (reason) return { kind: 'needs-you', reason, more: more.length };
  if (story.status === 'completed') return { kind: 'completed' };
  const other = (text: string): StoryNews => ({ kind: 'other', text });
  if (working) return other(working);
  if (blockedBy.length > 0) return other(`waits for ${blockedBy.join(', ')}`);
  if (story.ready) return other('ready');
  return other(story.progress.total === 0 ? 'no tasks yet' : 'see saga check');
}

/** Why a story needs a person, in words. */
export const REASON_WORDS: Readonly<Record<Reason['kind'], string>> = {
  blocker: 'blocker',
  escalated: 'tried too often',
  gate: 'gate',
  stalled: 'stalled',
};
