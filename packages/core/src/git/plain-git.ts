import { dirname } from 'node:path';
import type { Environment } from '../processes/run.ts';
import { type Git, type NetworkLimits, openGit, withSettings } from './git.ts';

/**
 * git for checking what a run left. A run can put hooks and a file-system monitor into the repository,
 * which all worktrees share, and can make git ignore changes; this git runs none of these and ignores
 * such settings. Not for pushing: Git LFS uploads in a hook of the project.
 */
export function openPlainGit(folder: string, env: Environment, limits?: NetworkLimits): Git {
  const plain = {
    ...withSettings(env, SETTINGS),
    // If the worktree loses its .git file, git must not use a checkout around it.
    GIT_CEILING_DIRECTORIES: dirname(folder),
  };
  return openGit(folder, plain, limits);
}

/**
 * Like openPlainGit, for the folder that all worktrees share. It works also if a run removed the link
 * between its worktree and the repository.
 */
export function openSharedGit(shared: string, env: Environment): Git {
  const git = openPlainGit(shared, env);
  const at = (args: readonly string[]) => [`--git-dir=${shared}`, ...args];
  return {
    ...git,
    run: (args, options) => git.run(at(args), options),
    attempt: (args, options) => git.attempt(at(args), options),
    paths: (args, options) => git.paths(at(args), options),
  };
}

const SETTINGS = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  ['core.ignoreStat', 'false'],
  ['core.trustctime', 'true'],
  ['core.checkStat', 'default'],
] as const;
