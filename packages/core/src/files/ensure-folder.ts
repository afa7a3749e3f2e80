import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCodeOf, SagaError } from '../errors.ts';

/**
 * Creates a folder and its parents. Node's own `recursive` reports ENOENT on a read-only disk, and
 * loops forever on a file system that reports ENOENT although the parent exists, as /proc does.
 */
export function ensureFolder(path: string, mode = 0o777): void {
  const refusal = tryMake(path, mode);
  if (refusal === undefined) return;
  const above = dirname(path);
  if (errorCodeOf(refusal) !== 'ENOENT' || above === path) throw refusal;
  if (!isFolder(above)) ensureFolder(above, mode);
  // Try again in any case: another process may have created the parent meanwhile.
  const again = tryMake(path, mode);
  if (again === undefined) return;
  throw errorCodeOf(again) === 'ENOENT' && isFolder(above) ? cannotBe(path, again) : again;
}

/** Returns the system's error, or undefined if the folder exists. */
function tryMake(path: string, mode: number): unknown {
  try {
    mkdirSync(path, { mode });
    return undefined;
  } catch (error) {
    return isFolder(path) ? undefined : error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // The path may not be read, or is below a file: nothing can be created there.
    return false;
  }
}

function cannotBe(path: string, cause: unknown): SagaError {
  return new SagaError(
    'permission-denied',
    `${path} cannot be created: the file system there accepts no new folders.`,
    'Choose another folder.',
    { cause },
  );
}
