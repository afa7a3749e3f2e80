/**
 * Fields of a task that say how it stands; a worker writes them. All other fields, unknown ones too,
 * are the task's definition: a run is held to it, so it stays the same while a worker is at the story.
 */
const STANDING_FIELDS = ['status', 'attempts', 'lastOutcome', 'escalated', 'owner', 'metadata'];

/** The definition of a task as text: two tasks with the same text say the same. */
export function formatDefinition(task: object): string {
  const fields = Object.entries(task).filter(
    ([key, value]) => !STANDING_FIELDS.includes(key) && value !== undefined,
  );
  return JSON.stringify(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
