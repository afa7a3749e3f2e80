import type { RunEvent } from '../../run/event.ts';
import type { Following } from '../../run/session-record.ts';
import { count } from '../../words/amounts.ts';
import type { FollowView } from './review.ts';

/** The events that say what a worker does with its pull request. */
export const FOLLOW_EVENTS = [
  'follow:start',
  'follow:checks',
  'follow:found',
  'follow:round',
  'follow:failed',
  'follow:end',
] as const;

type FollowEvent = RunEvent<(typeof FOLLOW_EVENTS)[number]>;

/** What a worker does that only watches a pull request. */
export function describeFollowing({ number, checks }: Following): FollowView {
  return checks > 0
    ? { state: 'checking', text: `waits for ${count(checks, 'check')} of #${number}` }
    : { state: 'watching', text: `watches #${number}` };
}

/** Derives what a worker does that follows a pull request. Returns null if it does not follow one, or no longer. */
export function deriveFollow(events: readonly FollowEvent[]): FollowView | null {
  const last = events.at(-1);
  switch (last?.type) {
    case undefined:
    case 'follow:end':
      return null;
    case 'follow:round':
      return {
        state: 'working',
        text: `works on ${count(last.remarks, 'remark')}, round ${last.round} of ${last.most}`,
      };
    case 'follow:checks':
      return describeFollowing({ number: last.number, checks: last.running });
    case 'follow:found':
      return { state: 'working', text: `found: ${last.title}` };
    case 'follow:failed':
      return { state: 'watching', text: `GitHub does not answer: ${last.reason}` };
    case 'follow:start':
      return {
        state: 'watching',
        text: `watches #${last.number}, ${count(last.rounds, 'round')} left`,
      };
  }
}
