import { foldName } from './fold-name.ts';

/**
 * Which file of the plan a run may have changed. Its own journal and other texts of its story are
 * its own; a task's status is the worker's to write; everything else is put back.
 */
export type Ownership = 'free' | 'task' | 'definition';

export function classifyPlanFile(path: string, storyId: string): Ownership {
  const parts = path.split('/');
  if (foldName(parts[0] ?? '') !== '.saga') return 'free';
  const [saga, kind, owner, ...rest] = parts;
  const isOwn = saga === '.saga' && kind === 'stories' && owner === storyId && rest.length > 0;
  const name = foldName(rest.at(-1) ?? '');
  // .gitignore and its like would hide from git what a run did there.
  if (!isOwn || name.startsWith('.git')) return 'definition';
  if (!name.endsWith('.json')) return 'free';
  return rest.length === 1 && name !== 'story.json' && name !== 'evidence.json'
    ? 'task'
    : 'definition';
}

/** Fields of a task that a worker writes; a difference in any other is a changed definition. */
const WORKER_FIELDS = ['status', 'attempts', 'lastOutcome', 'escalated', 'owner', 'metadata'];

/** Nothing of it, or unreadable, is a change too. */
export function isTaskIntact(before: string, after: string | undefined): boolean {
  if (after === undefined) return false;
  try {
    return formatDefinition(before) === formatDefinition(after);
  } catch {
    // It is no JSON any more.
    return false;
  }
}

function formatDefinition(text: string): string {
  const fields = Object.entries(JSON.parse(text) as object);
  const kept = fields.filter(([key]) => !WORKER_FIELDS.includes(key));
  return JSON.stringify(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
