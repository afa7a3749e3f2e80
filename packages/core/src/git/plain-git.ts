import { dirname } from 'node:path';
import type { Environment } from '../processes/run.ts';
import { type Git, openGit } from './git.ts';

/**
 * git for looking at what a run left. A run can plant hooks and a file-system monitor in the
 * repository, which all worktrees share, and tell git to overlook changes: here none of that is run
 * or believed. Not for pushing: Git LFS uploads in a hook of the project.
 */
export function openPlainGit(folder: string, env: Environment): Git {
  const given = Number(env.GIT_CONFIG_COUNT ?? 0);
  const variables = SETTINGS.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${given + index}`, key],
    [`GIT_CONFIG_VALUE_${given + index}`, value],
  ]);
  return openGit(folder, {
    ...env,
    ...Object.fromEntries(variables),
    GIT_CONFIG_COUNT: String(given + SETTINGS.length),
    // Without its .git file, a worktree is no reason to take the checkout around it for it.
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
