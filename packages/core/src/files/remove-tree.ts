import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodeOf, SagaError } from '../errors.ts';

/** Removes a folder with everything in it, even read-only folders, which some programs' caches contain. */
export function removeTree(folder: string): void {
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    remove();
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(errorCodeOf(error) ?? '')) throw error;
    try {
      unlock(folder);
      remove();
    } catch (cause) {
      throw new SagaError(
        'permission-denied',
        `${folder} cannot be removed: something in it belongs to another user.`,
        `Remove it yourself: sudo rm -rf ${folder}`,
        { cause },
      );
    }
  }
}

function unlock(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) unlock(join(folder, entry.name));
  }
}
