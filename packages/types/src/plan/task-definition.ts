/**
 * Fields of a task that a worker writes, such as its status. All other fields, known or not, are the
 * definition of the task. A run must fulfil the definition, so it cannot be changed while a worker runs.
 */
export const STANDING_FIELDS: readonly string[] = [
  'status',
  'attempts',
  'lastOutcome',
  'escalated',
  'owner',
  'metadata',
];

/** Fields of a story that a worker writes. */
export const PLACE_FIELDS: readonly string[] = ['branch', 'pr', 'worktree'];

/** Returns the definition of a task as text, to compare two of them. */
export function formatDefinition(task: object): string {
  const fields = Object.entries(task).filter(
    ([key, value]) => !STANDING_FIELDS.includes(key) && value !== undefined,
  );
  return JSON.stringify(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
