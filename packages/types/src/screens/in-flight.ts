import type { StoryView } from './overview.ts';

/**
 * Whether a story was begun, is not over, and nobody works on it: it is interrupted, or its worker was killed
 * and it needs a person. `saga recover` lists these.
 */
export function isInFlight({ state, ended, running }: StoryView): boolean {
  if (running) return false;
  return state === 'interrupted' || (state === 'needs you' && ended === 'died');
}
