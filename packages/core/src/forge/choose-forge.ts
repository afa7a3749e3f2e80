import type { NetworkLimits } from '../git/git.ts';
import { findOnPath } from '../processes/find-program.ts';
import type { Environment } from '../processes/run.ts';
import { openBranchesOnly } from './branches-only.ts';
import { findOtherHost } from './compare-url.ts';
import { type Forge, openForge } from './forge.ts';

export interface ForgeChoice {
  folder: string;
  env: Environment;
  limits?: NetworkLimits;
  /** The setting `pullRequest.mode`. */
  mode: 'auto' | 'off';
  /** The remote that branches are pushed to, and its address if that is known. */
  remote: string | undefined;
  url?: string | undefined;
}

/** Chooses the place of a repository by the setting, the remote and the programs on this machine. Asks nobody. */
export function chooseForge({ folder, env, limits, mode, remote, url }: ForgeChoice): Forge {
  if (mode === 'off') return openBranchesOnly('pull requests are switched off');
  if (remote === undefined) return openBranchesOnly('there is no remote');
  const host = url === undefined ? undefined : findOtherHost(url);
  if (host !== undefined)
    return openBranchesOnly(`${host} is not GitHub, and SAGA has no client for it`);
  if (findOnPath('gh', env) === undefined) {
    return openBranchesOnly('gh is not installed; see https://cli.github.com');
  }
  return openForge(folder, env, limits);
}
