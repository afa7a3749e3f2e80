import { describeWaiting, type LifeState } from './life.ts';
import type { Reason, SessionView, StoryView } from './overview.ts';
import { isStalled } from './stall.ts';

/** The one thing that a person should know about a story besides its progress. Each screen words it itself. */
export type StoryNews =
  | { kind: 'at-work'; session: SessionView; task: string | null }
  | { kind: 'needs-you'; reason: Reason; more: number }
  | { kind: 'done' }
  | { kind: 'other'; text: string };

export function findStoryNews(story: StoryView): StoryNews {
  const { session, needsYou, working } = story;
  if (session && !isStalled(story)) {
    const waits = session.waiting ? describeWaiting(session.waiting) : undefined;
    return { kind: 'at-work', session, task: waits ?? session.task ?? working };
  }
  const [reason, ...more] = needsYou ?? [];
  if (reason) return { kind: 'needs-you', reason, more: more.length };
  if (story.state === 'done') return { kind: 'done' };
  return { kind: 'other', text: WORDS[story.state]?.(story.reason) ?? story.reason };
}

/** Words for the states that the reason alone does not show. */
const WORDS: Partial<Record<LifeState, (reason: string) => string>> = {
  'in review': (reason) => `in review: ${reason}`,
  interrupted: (reason) => `interrupted: ${reason}`,
  ready: () => 'ready',
};

/** Why a story needs a person, as people say it. */
export const REASON_WORDS: Readonly<Record<Reason['kind'], string>> = {
  blocker: 'blocker',
  escalated: 'tried too often',
  copies: 'saga update',
  gate: 'gate',
  stalled: 'stalled',
  unreadable: 'saga check',
  credential: 'saga doctor',
  epic: 'not merged or started',
};
