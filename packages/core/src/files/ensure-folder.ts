import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCodeOf, SagaError } from '../errors.ts';
import { isFolder } from '../project/find-project.ts';

/**
 * A folder at a place that the person has named, with all above it. Node's own `recursive` asks for
 * ever where a file system says ENOENT though the folder above is there, as /proc does.
 */
export function ensureFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const above = dirname(path);
    if (isFolder(path)) return;
    if (errorCodeOf(error) !== 'ENOENT' || above === path) throw error;
    if (isFolder(above)) throw cannotBe(path, error);
    ensureFolder(above, mode);
    mkdirSync(path, { mode });
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
