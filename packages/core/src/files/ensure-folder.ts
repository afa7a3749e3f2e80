import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCodeOf, SagaError } from '../errors.ts';

/**
 * Makes a folder and all above it. Node's own `recursive` says ENOENT on a read-only disk, and asks for
 * ever where a file system says ENOENT though the folder above is there, as /proc does.
 */
export function ensureFolder(path: string, mode = 0o777): void {
  const refusal = tryMake(path, mode);
  if (refusal === undefined) return;
  const above = dirname(path);
  if (errorCodeOf(refusal) !== 'ENOENT' || above === path) throw refusal;
  if (!isFolder(above)) ensureFolder(above, mode);
  // Tried again in any case: another process may have made the folder above in the meantime.
  const again = tryMake(path, mode);
  if (again === undefined) return;
  throw errorCodeOf(again) === 'ENOENT' && isFolder(above) ? cannotBe(path, again) : again;
}

/** Returns what the system said, or undefined if the folder is there. */
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
    // Not ours to look at, or below a file: nothing can be made there either.
    return false;
  }
}

function cannotBe(path: string, cause: unknown): SagaError {
  return new SagaError(
    'permission-denied',
    `${path} cannot be made: the file system there takes no new folders.`,
    'Name another place.',
    { cause },
  );
}
