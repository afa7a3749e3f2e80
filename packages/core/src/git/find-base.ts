import type { Emit } from '@saga-ai/types/run/event';
import { SagaError } from '../errors.ts';
import { describeFailure } from '../processes/describe-failure.ts';
import { chooseDefault, chooseRemote, commitOf, loadRefs, type Refs } from './branches.ts';
import type { Git } from './git.ts';
import type { PinnedRemote } from './pins.ts';
import { withRepositoryLock } from './repository-lock.ts';

/** The commit that a story's branch starts from, and the branch that its pull request targets. */
export interface Base {
  /** Undefined if the checkout is on no branch. */
  branch?: string;
  commit: string;
  remote?: string;
  /** The address of the remote when the worker began. If undefined, git's settings say where the remote is. */
  pinned?: PinnedRemote;
  /** Set if the remote did not answer. It is not asked again until there is work to push. */
  isUnreachable?: true;
}

/**
 * Finds a branch, `given` by its name or the default one: the remote's if there is a remote, else this
 * repository's. With `fetch`, the branch is fetched; without, the last fetched state is used.
 */
export async function findBase(git: Git, given: string | undefined, fetch?: Fetch): Promise<Base> {
  const remote = await findRemote(git);
  const found = await (remote === undefined
    ? { branch: given }
    : findOnRemote(git, remote, given, fetch));
  const refs = await loadRefs(git);
  const base = deriveBase(refs, found.branch);
  const isUnreachable = 'isUnreachable' in found ? { isUnreachable: true as const } : {};
  if (base) return { ...base, ...isUnreachable };
  const branch = found.branch ?? chooseDefault(refs);
  if (branch !== undefined) throw noSuchBranch(branch, remote, given !== undefined);
  const place = remote === undefined ? {} : { remote };
  return { commit: await git.run(['rev-parse', 'HEAD']), ...place, ...isUnreachable };
}

/**
 * Finds the base without asking the remote. Returns undefined if this repository has no branch of that
 * name.
 */
export function deriveBase(refs: Refs, given: string | undefined): Base | undefined {
  const branch = given ?? chooseDefault(refs);
  const commit = branch === undefined ? undefined : commitOf(refs, branch);
  if (branch === undefined || commit === undefined) return undefined;
  return { branch, commit, remote: refs.remote };
}

export interface Fetch {
  emit: Emit;
  /** A second branch to fetch in the same call; the remote may not have it. */
  also?: string;
  /** Where to fetch from, instead of where git's settings say. */
  pinned?: PinnedRemote | undefined;
}

type Fetched = 'fetched' | 'gone' | 'failed';

async function findOnRemote(
  git: Git,
  remote: string,
  given: string | undefined,
  fetch: Fetch | undefined,
): Promise<{ branch?: string; isUnreachable?: true }> {
  const known = given ?? (await findKnownDefault(git, remote));
  if (known !== undefined) {
    const fetched = fetch ? await fetchBranch(git, remote, known, fetch) : 'fetched';
    if (fetched === 'failed') return { branch: known, isUnreachable: true };
    // Otherwise the branch was renamed on the remote since the clone, and the local name is out of date.
    if (fetched === 'fetched' || given !== undefined) return { branch: known };
  }
  const from = fetch?.pinned?.fetchUrl ?? remote;
  const asked = await git.attempt(['ls-remote', '--symref', from, 'HEAD'], { network: 'asking' });
  if (asked.code !== 0) {
    fetch?.emit('fetch:failed', { remote, branch: 'HEAD', reason: describeFailure(asked) });
    return { isUnreachable: true };
  }
  const branch = /^ref: refs\/heads\/(\S+)\s+HEAD$/m.exec(asked.stdout)?.[1];
  if (branch === undefined) return {};
  if (fetch) await fetchBranch(git, remote, branch, fetch);
  await rememberDefault(git, remote, branch);
  return { branch };
}

/** Records the default branch as `git clone` does, so that it is known without asking the remote. */
async function rememberDefault(git: Git, remote: string, branch: string): Promise<void> {
  const tracking = `refs/remotes/${remote}/${branch}`;
  if (!(await git.resolve(tracking))) return;
  await withRepositoryLock(git, () =>
    git.attempt(['symbolic-ref', `refs/remotes/${remote}/HEAD`, tracking]),
  );
}

export async function findRemote(git: Git): Promise<string | undefined> {
  return chooseRemote(await git.run(['remote']));
}

async function findKnownDefault(git: Git, remote: string): Promise<string | undefined> {
  const known = await git.attempt(['symbolic-ref', '-q', `refs/remotes/${remote}/HEAD`]);
  const prefix = `refs/remotes/${remote}/`;
  return known.code === 0 ? known.stdout.trim().slice(prefix.length) : undefined;
}

/**
 * Fetches a branch. If the remote cannot be reached, an event says so, and the last fetched state is
 * used.
 */
export async function fetchBranch(
  git: Git,
  remote: string,
  branch: string,
  { emit, also, pinned }: Fetch,
): Promise<Fetched> {
  const ref = `+refs/heads/${branch}:refs/remotes/${remote}/${branch}`;
  const more = also === undefined ? [] : [buildOptionalRefspec(remote, also), '--prune'];
  const from = pinned?.fetchUrl ?? remote;
  const lead = pinned ? ['-c', 'core.hooksPath=/dev/null'] : [];
  const options = ['-q', '--no-tags', '--no-recurse-submodules'];
  const args = [...lead, 'fetch', ...options, from, ref, ...more];
  // If two processes update the same ref, git fails in one of them; that does not mean that the remote is
  // unreachable.
  const result = await withRepositoryLock(git, () => git.attempt(args, { network: 'asking' }));
  if (result.code === 0) return 'fetched';
  const isGone = /couldn't find remote ref/.test(result.stderr);
  if (!isGone) emit('fetch:failed', { remote, branch, reason: describeFailure(result) });
  return isGone ? 'gone' : 'failed';
}

/**
 * Builds a refspec with a pattern: unlike a name, a pattern may match nothing, and a branch that the
 * remote deleted is pruned. The star is before the last slash: `story*\/cart` matches no other story,
 * while `story/cart*` would.
 */
function buildOptionalRefspec(remote: string, branch: string): string {
  const pattern = branch.replace(/(?=\/[^/]*$)|^(?=[^/]*$)/, '*');
  return `+refs/heads/${pattern}:refs/remotes/${remote}/${pattern}`;
}

function noSuchBranch(branch: string, remote: string | undefined, isGiven: boolean): SagaError {
  const places = remote === undefined ? 'in this repository' : `here or on ${remote}`;
  return new SagaError(
    'git-failed',
    `The story cannot start from branch ${branch}: it does not exist ${places}.`,
    isGiven
      ? 'Set worktree.baseBranch in .saga/config.json to a branch that exists, without the name of the remote.'
      : 'Fetch it, or set worktree.baseBranch in .saga/config.json to a branch that exists.',
  );
}
