import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Finding, problem, warning } from '@saga-ai/types/screens/finding';
import { WORKTREE_FOLDER } from '@saga-ai/types/words/names';
import { loadConfigOrDefaults } from '../plan/config.ts';
import type { Environment } from '../processes/run.ts';
import { displayPath } from '../project/display-path.ts';
import { findGitRoot } from '../project/find-project.ts';
import type { Paths } from '../project/paths.ts';
import {
  chooseWorktreesFolder,
  findHiddenPart,
  findObstacle,
} from '../project/worktrees-folder.ts';

/** Checks that the project's programs will work in a new worktree. Returns [] if no problem is known. */
export function checkWorktreesFolder(paths: Paths, env: Environment): Finding[] {
  const setting = loadConfigOrDefaults(paths, { environment: env }).worktree.folder;
  const { folder, reason } = chooseWorktreesFolder(paths, setting, env.HOME);
  if (reason !== undefined) {
    const what = `${reason}, so worktrees are made in .saga/worktrees, which ${HIDDEN}`;
    return [warning('worktrees', what, FIX)];
  }
  const obstacle = setting === WORKTREE_FOLDER ? undefined : findObstacle(folder);
  if (obstacle !== undefined) {
    return [problem('worktrees', `worktree.folder cannot be used: ${obstacle}`, FIX)];
  }
  const shown = displayPath(paths.root, folder);
  const warn = (what: string) => warning('worktrees', `${shown} ${what}`, FIX);
  const hidden = findHiddenPart(folder);
  const isInside = folder === paths.root || folder.startsWith(`${paths.root}/`);
  const around = isInside ? undefined : findGitRoot(findThere(folder));
  return [
    ...(isInside ? [warn(`is inside this repository: ${INSIDE}`)] : []),
    ...(hidden === undefined ? [] : [warn(`has a hidden part, ${hidden}: that ${HIDDEN}`)]),
    ...(around === undefined ? [] : [warn(`is inside the repository ${around}: ${INSIDE}`)]),
    ...(isInside || isOnDiskOf(paths.root, folder) ? [] : [warn(OTHER_DISK)]),
  ];
}

const HIDDEN = 'some test runners and servers refuse to read';
const INSIDE = 'test runners and bundlers there read the worktrees too';
const OTHER_DISK =
  'is on another disk than the repository; if that disk is deleted with a container, uncommitted work is lost';
const FIX = `Name another place: saga config worktree.folder "~/stories/<repository>"`;

/** Returns the deepest existing folder of a path. */
function findThere(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : findThere(dirname(folder));
}

const isOnDiskOf = (root: string, folder: string) =>
  statSync(root).dev === statSync(findThere(folder)).dev;
