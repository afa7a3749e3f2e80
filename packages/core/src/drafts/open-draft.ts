import type { FollowUp } from '@saga-ai/types/plan/follow-up';
import type { Paths } from '../project/paths.ts';
import { requireDraft } from './draft-box.ts';
import { splitFollowUps } from './split-follow-ups.ts';

/**
 * Loads a draft to be looked at or accepted. Its text is read again, because a run could have written the file itself.
 * So the person sees exactly what would be created.
 */
export function openDraft(paths: Paths, given: string): FollowUp {
  const draft = requireDraft(paths, given);
  const [first, ...more] = splitFollowUps(draft.text);
  if (!first) return { ...draft, faults: ['it is empty'] };
  if (more.length > 0) return { ...draft, faults: ['it has more than one story'] };
  return { ...draft, text: first.text, faults: first.faults };
}
