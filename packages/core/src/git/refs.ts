import { parseEpicBranch, parseStoryBranch } from '@saga-ai/types/words/names';
import type { Git } from './git.ts';

/** All branches of a repository, here and as last fetched, asked of git in one go. */
export interface Refs {
  /** Full name, such as `refs/heads/main`, to commit. */
  commits: ReadonlyMap<string, string>;
  /** The remote that counts: `origin`, or else the first one. */
  remote?: string;
  /** The default branch of that remote, if this clone knows it. */
  remoteDefault?: string;
  /** The branch that is checked out in the folder git was asked in. */
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
    ...(remote === undefined ? {} : { remote }),
    ...(remoteDefault === undefined ? {} : { remoteDefault }),
    ...(current === undefined ? {} : { current }),
    ...(usual.stdout.trim() === '' ? {} : { usual: usual.stdout.trim() }),
  };
}

/** From what `git remote` prints. */
export function chooseRemote(printed: string): string | undefined {
  const names = printed.split('\n').filter(Boolean);
  return names.includes('origin') ? 'origin' : names[0];
}

/** The commit of a branch: on the remote if that has it, else here. */
export function commitOf({ commits, remote }: Refs, branch: string): string | undefined {
  return commits.get(`refs/remotes/${remote}/${branch}`) ?? commits.get(`refs/heads/${branch}`);
}

/** The default branch as far as this repository knows: the remote's, a usual name, what is checked out. */
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
