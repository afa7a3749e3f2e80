import { dirname } from 'node:path';
import type { Environment } from '../processes/run.ts';
import { type Git, openGit, withSettings } from './git.ts';

/**
 * git for checking what a run left. A run can put hooks and a file-system monitor into the repository,
 * which all worktrees share, and can make git ignore changes; this git runs none of these and ignores
 * such settings. Not for pushing: Git LFS uploads in a hook of the project.
 */
export function openPlainGit(folder: string, env: Environment): Git {
  return openGit(folder, {
    ...withSettings(env, SETTINGS),
    // If the worktree loses its .git file, git must not use a checkout around it.
    GIT_CEILING_DIRECTORIES: dirname(folder),
  });
}

const SETTINGS = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  ['core.ignoreStat', 'false'],
  ['core.trustctime', 'true'],
  ['core.checkStat', 'default'],
] as const;
