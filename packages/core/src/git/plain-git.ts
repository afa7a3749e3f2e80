import { dirname } from 'node:path';
import type { Environment } from '../processes/run.ts';
import { type Git, type NetworkLimits, openGit, withSettings } from './git.ts';

/**
 * Opens git for checking what a run left. A run can put hooks and a file-system monitor into the repository, which all
 * worktrees share, and can make git ignore changes. This git runs none of these and ignores such settings. A push with
 * it runs no hook either, so Git LFS uploads nothing: what a run committed is pushed by `worker/deliver`.
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

/**
 * Opens git so that it stays out of repositories inside the checkout, for commands that take no such
 * option: merge, cherry-pick, stash and the like start git again to look for changes. A `.gitmodules`
 * file may say for each submodule that git looks into it, so each gets a setting, which wins.
 */
export async function keepOut(git: Git): Promise<Git> {
  const names = new Set((await Promise.all(GITMODULES.map((it) => listNames(git, it)))).flat());
  const settings = [...names].map((name) => [`submodule.${name}.ignore`, 'dirty'] as const);
  const env = withSettings(git.env, [['diff.ignoreSubmodules', 'dirty'], ...settings]);
  return openPlainGit(git.folder, env);
}

/** git reads the file in the checkout; without one, that of the index or of the commit. */
const GITMODULES = [
  ['--file', '.gitmodules'],
  ['--blob', ':.gitmodules'],
  ['--blob', 'HEAD:.gitmodules'],
];

/** The names of submodules, which may have dots in them. */
async function listNames(git: Git, from: readonly string[]): Promise<string[]> {
  const args = ['config', ...from, '--no-includes', '--name-only', '-z'];
  const { stdout } = await git.attempt([...args, '--get-regexp', '^submodule\\.']);
  return stdout.split('\0').flatMap((key) => /^submodule\.(.+)\.[^.]+$/s.exec(key)?.[1] ?? []);
}
