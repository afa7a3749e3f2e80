import { type Dirent, readdirSync } from 'node:fs';
import type { Problem } from '@saga-ai/types/words/problem';
import { errorCodeOf, messageOf } from '../errors.ts';
import { displayPath } from '../project/display-path.ts';

/** Lists the names in a folder, without those that start with a dot. Returns [] if the folder is missing. */
export function listFolder(root: string, folder: string, problems: Problem[] = []): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return [];
    problems.push(describeUnlisted(root, folder, error));
    return [];
  }
}

/** Lists all names in a folder. Returns [] if the folder is missing or cannot be listed. */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // To the caller, a folder that cannot be listed holds nothing.
    return [];
  }
}

/** Like listNames, with what each entry is. */
export function listEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // To the caller, a folder that cannot be listed holds nothing.
    return [];
  }
}

export function describeUnlisted(root: string, folder: string, error: unknown): Problem {
  const file = displayPath(root, folder);
  return {
    code: 'unreadable-file',
    message: `${file} cannot be listed (${messageOf(error)}).`,
    hint: `It should be a folder you may read: ls -ld ${file}`,
    file,
  };
}
