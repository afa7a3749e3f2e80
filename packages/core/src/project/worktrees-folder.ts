import { accessSync, constants, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { WORKTREE_FOLDER } from '@saga-ai/types/words/names';
import { statIfThere } from './git-files.ts';
import type { Paths } from './paths.ts';

/** Where new worktrees go, and if that is inside `.saga` although nobody asked for it: why. */
export interface WorktreesFolder {
  folder: string;
  reason?: string;
}

/** What a setting of `worktree.folder` means: relative to the project, absolute, or from `~`. */
export function resolveWorktreesFolder(
  root: string,
  setting: string,
  homeFolder = homedir(),
): string {
  const named = setting.replaceAll('<repository>', nameRepository(root));
  const isFromHome = named === '~' || named.startsWith('~/');
  return resolve(root, isFromHome ? join(homeFolder, named.slice(1)) : named);
}

/** Worktrees of a repository with a hidden name are not hidden: tools refuse to read hidden folders. */
const nameRepository = (root: string) => basename(root).replace(/^\.+/, 'dot-') || 'root';

/**
 * Looks where a new worktree would be made; nothing is made. Only the default has another place to
 * go to: where a person named a folder that cannot be used, they should know.
 */
export function chooseWorktreesFolder(
  paths: Pick<Paths, 'root' | 'innerWorktrees'>,
  setting: string,
  homeFolder?: string,
): WorktreesFolder {
  const folder = resolveWorktreesFolder(paths.root, setting, homeFolder);
  const reason = setting === WORKTREE_FOLDER ? findObstacle(folder) : undefined;
  return reason === undefined ? { folder } : { folder: paths.innerWorktrees, reason };
}

/** Why no worktree can be made in a folder; undefined if nothing is known against it. */
export function findObstacle(folder: string): string | undefined {
  const found = statIfThere(folder);
  if (found && !found.isDirectory()) return `${folder} is a file`;
  if (found && statIfThere(join(folder, '.git'))) return `${folder} is a repository of its own`;
  let there = folder;
  while (!statIfThere(there) && dirname(there) !== there) there = dirname(there);
  try {
    accessSync(there, constants.W_OK | constants.X_OK);
    return undefined;
  } catch {
    return `${there} cannot be written`;
  }
}

/** The first part of a path that is hidden, such as `.cache`. */
export function findHiddenPart(path: string): string | undefined {
  return path.split(sep).find((part) => /^\.[^.]/.test(part));
}

/**
 * The same folder for those who only look: read from the settings without their schema, which takes
 * a library to load. What is wrong with the settings is told by the check of them.
 */
export function readWorktreesFolder({ root, config }: Paths): string {
  return resolveWorktreesFolder(root, readSetting(config) ?? WORKTREE_FOLDER);
}

/** Where worktrees that were not moved may be: of stories and of rehearsals. */
export const listWorktreePlaces = (paths: Paths) => [
  readWorktreesFolder(paths),
  paths.innerWorktrees,
];

function readSetting(file: string): string | undefined {
  try {
    const folder: unknown = JSON.parse(readFileSync(file, 'utf8'))?.worktree?.folder;
    return typeof folder === 'string' && folder !== '' ? folder : undefined;
  } catch {
    // Missing or not JSON: then the default holds.
    return undefined;
  }
}
