import type { Updated } from '@saga-ai/core/update/update-story';
import { count } from '@saga-ai/types/words/amounts';

/** Says in a few sentences what an update brought in. `undefined`: the story has no open work. */
export function describeUpdate(storyId: string, updated: Updated | undefined): string {
  if (!updated) return `${storyId} has no open work, so there is nothing to update.`;
  return [describePlan(updated.plan), describeBase(storyId, updated)].filter(Boolean).join(' ');
}

function describePlan(plan: Updated['plan']): string {
  if (plan?.kind !== 'taken') return '';
  const files = plan.changes.map(({ file, kind, fields }) => {
    const what = { changed: fields.join(', '), added: 'new', removed: 'removed' }[kind];
    return `${file} (${what})`;
  });
  const disputed =
    plan.disputed.length === 0 ? '' : ` Your value counts for ${list(plan.disputed)}.`;
  const gate = plan.droppedEvidence ? ' The gate must pass again.' : '';
  return `Took the edited plan: ${list(files)}.${disputed}${gate}`;
}

function describeBase(storyId: string, { taken, told, base }: Updated): string {
  switch (taken?.kind) {
    case undefined:
      return '';
    case 'current':
      return `${storyId} has all of ${base}.`;
    case 'merged':
      return `Merged ${count(taken.commits, 'commit')} of ${base}.`;
    case 'refused':
      return `${base} was not merged: ${taken.reason}`;
    case 'conflict':
      return `${base} was not merged: both sides changed ${list(taken.files)}. ${AFTER[told ?? 'told']}`;
  }
}

const AFTER = {
  told: 'The next run is told to merge it.',
  asked: 'A run could not merge it, so you are asked how.',
} as const;

const MOST_NAMED = 4;

function list(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  const named = names.slice(0, MOST_NAMED).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}
