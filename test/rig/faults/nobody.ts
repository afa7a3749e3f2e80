import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TempProject } from '../project/temp-project.ts';

/** The user under which programs run that permissions must stop. They do not stop root. */
export const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/**
 * Lets everybody read and enter the project, and nobody write. Disposing undoes that, so that the test can clean up.
 */
export function makeReadOnly(project: TempProject): Disposable {
  const all = [project.root, ...listAll(project.root)];
  setModes(all, 0o555, 0o444);
  return { [Symbol.dispose]: () => setModes(all, 0o755, 0o644) };
}

/** Gives one path below `.saga` other permissions for a while, in a project that all may read. */
export function changeMode(project: TempProject, path: string, mode: number): Disposable {
  chmodSync(project.root, 0o755);
  return withMode(join(project.paths.saga, path), mode);
}

/**
 * Gives a path other permissions for a while. Disposing undoes that, because only root could remove the path otherwise.
 */
export function withMode(target: string, mode: number): Disposable {
  const before = statSync(target).mode;
  chmodSync(target, mode);
  return { [Symbol.dispose]: () => chmodSync(target, before) };
}

function setModes(paths: string[], folder: number, file: number): void {
  for (const path of paths) {
    const entry = statSync(path, { throwIfNoEntry: false });
    if (entry) chmodSync(path, entry.isDirectory() ? folder : file);
  }
}

function listAll(root: string): string[] {
  return readdirSync(root, { recursive: true }).map((path) => join(root, String(path)));
}
