import { lstatSync } from 'node:fs';
import { type Finding, ok, problem, warning } from '@saga-ai/types/screens/finding';
import { count } from '@saga-ai/types/words/amounts';
import { SagaError } from '../errors.ts';
import { ensureSessionFolder, findSessionFolder } from '../files/session-folder.ts';
import type { Environment } from '../processes/run.ts';
import { clearStaleEnvironments, listStaleEnvironments } from '../sessions/environment-file.ts';

const NAME = 'sessions';

/**
 * Checks that the folder for output files exists, belongs to this user and is closed to others.
 * Creates the folder if it is missing, but does not change it.
 */
export function checkSessionFolder(env: Environment, userId: number | undefined): Finding {
  if (isOpen(env, userId)) {
    const what = `${findSessionFolder(env, userId)} can be read by others`;
    return warning(NAME, what, 'saga doctor --fix closes it, and so does the next run');
  }
  try {
    return ok(NAME, `${ensureSessionFolder(env, userId)} (only you can read it)`);
  } catch (error) {
    if (!(error instanceof SagaError)) throw error;
    return problem(NAME, error.message, error.hint);
  }
}

/** Reports environment files that no worker read. They contain keys. */
export function checkEnvironmentFiles(env: Environment, userId: number | undefined): Finding[] {
  const files = listStaleEnvironments(findSessionFolder(env, userId));
  if (files.length === 0) return [];
  const what = `environment files of workers that did not start, possibly with keys: ${files.join(', ')}`;
  return [warning(NAME, what, 'saga doctor --fix removes them, and so does the next run')];
}

/** Clears the folder for output files of what others must not find there. Returns what was done, in words. */
export function clearSessionFolder(env: Environment, userId: number | undefined): string[] {
  const removed = clearStaleEnvironments(findSessionFolder(env, userId));
  return [
    ...(isOpen(env, userId)
      ? [`${ensureSessionFolder(env, userId)} can now be read only by you`]
      : []),
    ...(removed.length > 0
      ? [`${count(removed.length, 'file')} with the variables of a worker removed`]
      : []),
  ];
}

/** Whether others can read the folder. False if the folder belongs to another user. */
function isOpen(env: Environment, userId: number | undefined): boolean {
  const found = lstatSync(findSessionFolder(env, userId), { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === userId && (found.mode & 0o077) !== 0;
}
