import type { Reason, StoryView } from '@saga-ai/types/screens/overview';

/** What a person must mend before a run is of use. */
const IN_THE_WAY: readonly Reason['kind'][] = [
  'blocker',
  'copies',
  'unreadable',
  'escalated',
  'stalled',
];

/** Whether the server would accept a run of this story. */
export function mayRun({ state, blockedBy, needsYou, progress }: StoryView): boolean {
  if (state === 'running' || state === 'done' || state === 'in review') return false;
  if (blockedBy.length > 0 || progress.total === 0) return false;
  return !(needsYou ?? []).some(({ kind }) => IN_THE_WAY.includes(kind));
}
