import { describeWaiting } from '@saga-ai/types/screens/life';
import type { StoryView } from '@saga-ai/types/screens/overview';

/** Says in words what a running worker does now. */
export function describeCurrentTask({ session, working }: StoryView): string {
  if (session?.waiting) return describeWaiting(session.waiting);
  if (session?.activity === 'gate') return 'Checking: the gate';
  return session?.task ?? working ?? 'preparing';
}
