import { parseEpicBranch, parseStoryBranch } from '@saga-ai/types/words/names';
import type { Git } from './git.ts';

/** All branches of a repository, the local ones and those last fetched, read with one git command. */
export interface Refs {
  /** Maps a full name, such as `refs/heads/main`, to its commit. */
  commits: ReadonlyMap<string, string>;
  /** The remote that SAGA uses: `origin`, else the first one. */
  remote?: string;
  /** The default branch of that remote, if this clone knows it. */
  remoteDefault?: string;
  /** The branch that is checked out in git's folder. */
  current?: string;
  /** `init.defaultBranch` of the user. */
  usual?: string;
}

export async function loadRefs(git: Git, timeoutMs?: number): Promise<Refs> {
  const options = timeoutMs === undefined ? {} : { timeoutMs };
  const format = '--format=%(objectname) %(refname) %(HEAD) %(symref)';
  const [listed, remotes, usual] = await Promise.all([
    git.run(['for-each-ref', format, 'refs/heads', 'refs/remotes'], options),
    git.run(['remote'], options),
    git.attempt(['config', 'init.defaultBranch'], options),
  ]);
  const remote = chooseRemote(remotes);
  const commits = new Map<string, string>();
  let current: string | undefined;
  let remoteDefault: string | undefined;
  for (const line of listed.split('\n')) {
    const [commit = '', ref = '', head, ...target] = line.split(' ');
    if (ref === '') continue;
    if (ref === `refs/remotes/${remote}/HEAD`) {
      remoteDefault = target.at(-1)?.slice(`refs/remotes/${remote}/`.length) || undefined;
    } else commits.set(ref, commit);
    if (head === '*') current = ref.slice('refs/heads/'.length);
  }
  return {
    commits,
    remote,
    remoteDefault,
    current,
    usual: usual.stdout.trim() === '' ? undefined : usual.stdout.trim(),
  };
}

/** Chooses the remote from the output of `git remote`. */
export function chooseRemote(printed: string): string | undefined {
  const names = printed.split('\n').filter(Boolean);
  return names.includes('origin') ? 'origin' : names[0];
}

/** Returns the commit of a branch: the remote's if the remote has the branch, else the local one. */
export function commitOf({ commits, remote }: Refs, branch: string): string | undefined {
  return commits.get(`refs/remotes/${remote}/${branch}`) ?? commits.get(`refs/heads/${branch}`);
}

/**
 * Chooses the default branch without asking the remote: the remote's as last known, else a usual name,
 * else what is checked out.
 */
export function chooseDefault({
  commits,
  remoteDefault,
  usual,
  current,
}: Refs): string | undefined {
  if (remoteDefault !== undefined) return remoteDefault;
  const named = ['main', 'master', usual].find((it) => it && commits.has(`refs/heads/${it}`));
  if (named !== undefined) return named;
  const isOurs = current !== undefined && (parseStoryBranch(current) ?? parseEpicBranch(current));
  return isOurs ? undefined : current;
}

/** Moves the branch if it is still where the caller saw it. Returns false if somebody else moved it. */
export async function moveBranch(
  git: Git,
  branch: string,
  to: string,
  from: string | undefined,
): Promise<boolean> {
  const before = from ?? '0'.repeat(to.length);
  const moved = await git.attempt(['update-ref', `refs/heads/${branch}`, to, before]);
  return moved.code === 0;
}
