import type { Config } from '@saga-ai/types/config';
import { parseEpicBranch, parseStoryBranch } from '@saga-ai/types/names';
import { SagaError } from '../errors.ts';
import { describeFailure, type Git, NETWORK_MS } from '../programs/git.ts';
import type { Emit } from './worker.ts';

/** What a story's branch starts from, and where its pull request goes. */
export interface Base {
  /** Missing when the checkout has no branch at all. */
  branch?: string;
  commit: string;
  remote?: string;
}

/** The default branch, found and not assumed: of the remote if there is one, else of this repository. */
export async function findBase(git: Git, config: Config, emit?: Emit): Promise<Base> {
  const remote = await findRemote(git);
  const branch =
    config.worktree.baseBranch ??
    (remote && (await findRemoteDefault(git, remote))) ??
    (await findLocalDefault(git));
  if (branch === undefined)
    return { commit: await git.run(['rev-parse', 'HEAD']), ...named(remote) };
  if (remote && emit) await fetchBranch(git, remote, branch, emit);
  const commit =
    (remote && (await git.resolve(`refs/remotes/${remote}/${branch}`))) ??
    (await git.resolve(`refs/heads/${branch}`));
  if (commit === undefined) {
    throw new SagaError(
      'git-failed',
      `There is no branch ${branch}, here or on the remote.`,
      'Set worktree.baseBranch in .saga/config.json to one that exists.',
    );
  }
  return { branch, commit, ...named(remote) };
}

const named = (remote: string | undefined) => (remote === undefined ? {} : { remote });

export async function findRemote(git: Git): Promise<string | undefined> {
  const remotes = (await git.run(['remote'])).split('\n').filter(Boolean);
  return remotes.includes('origin') ? 'origin' : remotes[0];
}

async function findRemoteDefault(git: Git, remote: string): Promise<string | undefined> {
  const known = await git.attempt(['symbolic-ref', '-q', `refs/remotes/${remote}/HEAD`]);
  const prefix = `refs/remotes/${remote}/`;
  if (known.code === 0) return known.stdout.trim().slice(prefix.length);
  const told = await git.attempt(['ls-remote', '--symref', remote, 'HEAD'], {
    timeoutMs: NETWORK_MS,
  });
  return /^ref: refs\/heads\/(\S+)\s+HEAD$/m.exec(told.stdout)?.[1];
}

/** Without a remote to ask: the usual names, then the branch that is checked out. */
async function findLocalDefault(git: Git): Promise<string | undefined> {
  const current = (await git.attempt(['symbolic-ref', '-q', '--short', 'HEAD'])).stdout.trim();
  const configured = (await git.attempt(['config', 'init.defaultBranch'])).stdout.trim();
  for (const name of ['main', 'master', configured]) {
    if (name !== '' && (await git.resolve(`refs/heads/${name}`))) return name;
  }
  const isOurs = parseStoryBranch(current) ?? parseEpicBranch(current);
  return current === '' || isOurs ? undefined : current;
}

async function fetchBranch(git: Git, remote: string, branch: string, emit: Emit): Promise<void> {
  const ref = `+refs/heads/${branch}:refs/remotes/${remote}/${branch}`;
  const result = await git.attempt(['fetch', '-q', '--no-tags', remote, ref], {
    timeoutMs: NETWORK_MS,
  });
  if (result.code !== 0) emit('fetch:failed', { remote, branch, reason: describeFailure(result) });
}
