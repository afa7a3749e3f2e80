import { type Git, withSettings } from './git.ts';
import { openPlainGit } from './plain-git.ts';

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
