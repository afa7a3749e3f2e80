import { EVIDENCE_FILE, PLAN_FOLDER, STORY_FILE } from '@saga-ai/types/plan/plan-paths';
import { formatDefinition } from '@saga-ai/types/plan/task-definition';
import { foldName } from './fold-name.ts';

/**
 * Who may write a file of a worktree. `free`: a run may write it (the code, and texts of its own story
 * such as the journal). `task`: a task file of its story, in which only the worker writes the status.
 * `definition`: the rest of the plan; a run may not write it, and changes are put back after the run.
 */
export type Ownership = 'free' | 'task' | 'definition';

export function classifyPlanFile(path: string, storyId: string): Ownership {
  const parts = path.split('/');
  if (foldName(parts[0] ?? '') !== PLAN_FOLDER) return 'free';
  const [saga, kind, owner, ...rest] = parts;
  const isOwn = saga === PLAN_FOLDER && kind === 'stories' && owner === storyId && rest.length > 0;
  const name = foldName(rest.at(-1) ?? '');
  // A .gitignore or .gitattributes could hide from git what a run did there.
  if (!isOwn || name.startsWith('.git')) return 'definition';
  if (!name.endsWith('.json')) return 'free';
  return rest.length === 1 && name !== STORY_FILE && name !== EVIDENCE_FILE ? 'task' : 'definition';
}

/** Whether a task file still defines the same task. False if it is missing or cannot be read. */
export function isTaskIntact(before: string, after: string | undefined): boolean {
  if (after === undefined) return false;
  try {
    return formatDefinition(JSON.parse(before)) === formatDefinition(JSON.parse(after));
  } catch {
    // The file is no longer JSON.
    return false;
  }
}
