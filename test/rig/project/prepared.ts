import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PREPARED } from '../programs/run-program.ts';

/** What vitest names a folder for, which it removes at the end. Without it, each thing is made anew. */
const { [PREPARED]: store } = process.env;

/**
 * Fills a folder with what `make` makes, which must be the same for the same key. It is made once for all tests of a
 * run, and copied from then on: a repository takes a dozen programs to make, and none to copy.
 */
export function copyPrepared(key: unknown, target: string, make: (folder: string) => void): void {
  if (store === undefined) {
    mkdirSync(target, { recursive: true });
    make(target);
    return;
  }
  const name = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 16);
  const prepared = join(store, name);
  if (!existsSync(prepared)) prepare(prepared, make);
  cpSync(prepared, target, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}

/** Made beside its place: another process may be at it, and then the first one counts. */
function prepare(prepared: string, make: (folder: string) => void): void {
  const folder = `${prepared}.${process.pid}`;
  mkdirSync(folder);
  make(folder);
  try {
    renameSync(folder, prepared);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (!existsSync(prepared)) throw error;
  }
}
