import { accessSync, constants, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { formatConfigVariable } from '@saga-ai/types/config-variable';
import { WORKTREE_FOLDER } from '@saga-ai/types/words/names';
import { withoutMark } from '@saga-ai/types/words/without-mark';
import { findMainPlace, statIfThere } from './git-files.ts';
import type { Paths } from './paths.ts';
import { findPersonSettings } from './person-folders.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The folder for new worktrees. `reason` says why it is inside `.saga`, if nobody asked for that. */
export interface WorktreesFolder {
  folder: string;
  reason?: string;
}

/**
 * Resolves the setting `worktree.folder`: relative to the repository's main checkout, absolute, or from `~`. It is the
 * same folder whichever checkout a command starts in.
 */
export function resolveWorktreesFolder(
  root: string,
  setting: string,
  homeFolder = homedir(),
): string {
  const place = findMainPlace(root);
  const named = setting.replaceAll('<repository>', nameRepository(place));
  const isFromHome = named === '~' || named.startsWith('~/');
  return resolve(place, isFromHome ? join(homeFolder, named.slice(1)) : named);
}

/** Replaces the leading dot of a repository's name: some tools refuse to read hidden folders. */
function nameRepository(place: string): string {
  const isCheckout = statIfThere(join(place, '.git')) !== undefined;
  const name = isCheckout ? basename(place) : basename(place, '.git');
  return name.replace(/^\.+/, 'dot-') || 'root';
}

/**
 * Chooses the folder for new worktrees; creates nothing. Only the default has a fallback: if a person
 * named a folder that cannot be used, they should know.
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

/** Why no worktree can be created in a folder; undefined if there is no known obstacle. */
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

/** Returns the first hidden part of a path, such as `.cache`. */
export function findHiddenPart(path: string): string | undefined {
  return path.split(sep).find((part) => /^\.[^.]/.test(part));
}

/**
 * Reads the folder without the schema of the settings, which takes a library to load. The check of the
 * settings reports what is wrong with them. Without `env` only the project's own file counts.
 */
export function readWorktreesFolder({ root, config }: Paths, env: Variables = {}): string {
  const setting =
    env[formatConfigVariable('worktree.folder')] ??
    readSetting(config) ??
    readSetting(findPersonSettings(env)) ??
    WORKTREE_FOLDER;
  return resolveWorktreesFolder(root, setting);
}

/** The folders where worktrees of stories and rehearsals usually are. */
export const listWorktreePlaces = (paths: Paths, env?: Variables) => [
  readWorktreesFolder(paths, env),
  paths.innerWorktrees,
];

function readSetting(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    const text = withoutMark(readFileSync(file, 'utf8'));
    const folder: unknown = JSON.parse(text)?.worktree?.folder;
    return typeof folder === 'string' && folder !== '' ? folder : undefined;
  } catch {
    // The file is missing or not JSON: use the default.
    return undefined;
  }
}
