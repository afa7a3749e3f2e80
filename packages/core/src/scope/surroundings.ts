import { join } from 'node:path';
import type { Config } from '@saga-ai/types/config';

/**
 * What a command in the sandbox (a run, setup or verify) may use outside its worktree. Paths are absolute. A path that
 * is not named here can be read but not written.
 */
export interface Surroundings {
  homeFolder: string;
  /** Paths that look empty. */
  hidden: readonly string[];
  /** Folders that a private folder of the project replaces, such as caches of package managers. */
  replaced: readonly string[];
  /** Paths that may be written. */
  writable: readonly string[];
  reach: NetworkReach;
}

/** Which servers a command may reach. */
export type NetworkReach = Pick<Config['sandbox'], 'network' | 'domains'>;

/** Describes the surroundings that the settings ask for. `secrets` are hidden whatever the settings say. */
export function describeSurroundings(
  { hide, caches, allow, network, domains }: Config['sandbox'],
  homeFolder: string,
  secrets: readonly string[],
): Surroundings {
  const expand = (paths: readonly string[]) => paths.map((path) => expandHome(path, homeFolder));
  return {
    homeFolder,
    hidden: [...expand(hide), ...secrets],
    replaced: expand(caches),
    writable: expand(allow),
    reach: { network, domains },
  };
}

/** A path of the settings, with the home folder in place of `~`. */
export const expandHome = (path: string, homeFolder: string): string =>
  path.startsWith('~/') ? join(homeFolder, path.slice(2)) : path;
