import { filterByGlobs } from '@saga-ai/core/rules/globs';
import type { Rehearsal } from '@saga-ai/types/task';
import { quote } from './shell.ts';
import { inventWork } from './task-work.ts';

/**
 * Work for a task nobody has written hints for, in a story that may change only some files: a new
 * file that fits one of the globs, else a commit without any.
 */
export function fitWork(
  task: { id: string; subject: string },
  globs: readonly string[] | undefined,
): Rehearsal {
  const work = inventWork(task);
  if (globs === undefined || globs.length === 0) return work;
  const message = work.commit ?? task.id;
  const path = globs
    .filter((glob) => !glob.startsWith('!'))
    .map((glob) => nameFile(glob, task.id))
    .find((name) => name !== undefined && filterByGlobs([name], globs).length > 0);
  if (path === undefined) return { run: [`git commit -q --allow-empty -m ${quote(message)}`] };
  return { write: { [path]: `rehearsed: ${task.id}\n` }, commit: message };
}

/** Of a glob that names one file there is no new one. */
function nameFile(glob: string, taskId: string): string | undefined {
  const path = glob.replace(/^\.?\//, '');
  if (path.endsWith('/') || !/[*.]/.test(path.slice(path.lastIndexOf('/') + 1))) {
    return `${path.replace(/\/$/, '')}/rehearsed-${taskId}.md`;
  }
  if (!path.includes('*')) return undefined;
  return path
    .replace(/\*\*\/?$/, `rehearsed-${taskId}.md`)
    .replaceAll('**/', '')
    .replaceAll('*', `rehearsed-${taskId}`);
}
