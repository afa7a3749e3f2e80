import type { Refs } from './branches.ts';
import { findRemote } from './find-base.ts';
import type { Git } from './git.ts';

/**
 * Returns the newest commit of a branch: here, else on the remote as last fetched. The branch here counts, because it
 * may be ahead of the remote's. Without `base`, git is asked for the remote.
 */
export async function findTip(
  git: Git,
  branch: string,
  base?: { remote?: string },
): Promise<string | undefined> {
  const own = await git.resolve(`refs/heads/${branch}`);
  if (own !== undefined) return own;
  const remote = base ? base.remote : await findRemote(git);
  return remote === undefined ? undefined : git.resolve(`refs/remotes/${remote}/${branch}`);
}

/** Like findTip, among refs that are loaded already. */
export function findTipIn({ commits, remote }: Refs, branch: string): string | undefined {
  return commits.get(`refs/heads/${branch}`) ?? commits.get(`refs/remotes/${remote}/${branch}`);
}
