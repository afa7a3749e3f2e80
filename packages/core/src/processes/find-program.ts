import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Environment } from './run.ts';

export function findOnPath(name: string, env: Environment): string | undefined {
  const folders = (env.PATH ?? '').split(delimiter).filter((it) => isAbsolute(it));
  return folders.map((it) => join(it, name)).find(isProgram);
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // The file is missing, or this user may not run it.
    return false;
  }
}
