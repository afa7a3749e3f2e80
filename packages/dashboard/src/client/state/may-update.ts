import type { StoryView } from '@saga-ai/types/screens/overview';

/** Whether an update would bring something in: an edited plan, or commits of the base. */
export function mayUpdate({ state, needsYou, behind }: StoryView): boolean {
  if (state === 'running' || state === 'done') return false;
  return (behind ?? 0) > 0 || (needsYou ?? []).some(({ kind }) => kind === 'copies');
}
