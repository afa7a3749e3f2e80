import type { Config } from '@saga-ai/types/config';
import type { Emit } from '@saga-ai/types/run/event';
import { SagaError } from '../errors.ts';
import { describeFailure } from '../processes/describe-failure.ts';
import type { Git } from './git.ts';
import { chooseDefault, chooseRemote, commitOf, loadRefs, type Refs } from './refs.ts';
import { withRepositoryLock } from './repository-lock.ts';

/** What a story's branch starts from, and where its pull request goes. */
export interface Base {
  /** Missing when the checkout has no branch at all. */
  branch?: string;
  commit: string;
  remote?: string;
  /** The remote did not answer just now: it is not asked again before there is work to push. */
  isUnreachable?: true;
}

/**
 * The default branch, found and not assumed: of the remote if there is one, else of this repository.
 * With `fetch` it is fetched; without, what was fetched before counts.
 */
export async function findBase(git: Git, config: Config, fetch?: Fetch): Promise<Base> {
  const remote = await findRemote(git);
  const given = config.worktree.baseBranch ?? undefined;
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
 * The base as far as this repository knows it. No remote is asked. Returns undefined if no branch of
 * that name is here.
 */
export function deriveBase(refs: Refs, given: string | undefined): Base | undefined {
  const branch = given ?? chooseDefault(refs);
  const commit = branch === undefined ? undefined : commitOf(refs, branch);
  if (branch === undefined || commit === undefined) return undefined;
  return { branch, commit, ...(refs.remote === undefined ? {} : { remote: refs.remote }) };
}

export interface Fetch {
  emit: Emit;
  /** Asked for in the same breath: a branch that the remote may not have. */
  also?: string;
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
    // Else it was renamed on the remote since we cloned, and what we know of it is out of date.
    if (fetched === 'fetched' || given !== undefined) return { branch: known };
  }
  const asked = await git.attempt(['ls-remote', '--symref', remote, 'HEAD'], {
    network: 'asking',
  });
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

/** As `git clone` would have: from now on readers know the default branch without asking the remote. */
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

/** A remote that cannot be reached is said, and what was fetched before will do. */
export async function fetchBranch(
  git: Git,
  remote: string,
  branch: string,
  { emit, also }: Fetch,
): Promise<Fetched> {
  const ref = `+refs/heads/${branch}:refs/remotes/${remote}/${branch}`;
  const more = also === undefined ? [] : [buildOptionalRefspec(remote, also), '--prune'];
  const args = ['fetch', '-q', '--no-tags', '--no-recurse-submodules', remote, ref, ...more];
  // Of two that update the same ref at once, git lets one fail, and that is no remote out of reach.
  const result = await withRepositoryLock(git, () => git.attempt(args, { network: 'asking' }));
  if (result.code === 0) return 'fetched';
  const isGone = /couldn't find remote ref/.test(result.stderr);
  if (!isGone) emit('fetch:failed', { remote, branch, reason: describeFailure(result) });
  return isGone ? 'gone' : 'failed';
}

/**
 * A pattern may fit nothing, and what it fitted before and the remote dropped is pruned. The star
 * stands before the last slash: `story*\/cart` fits no other story, as `story/cart*` would.
 */
function buildOptionalRefspec(remote: string, branch: string): string {
  const pattern = branch.replace(/(?=\/[^/]*$)|^(?=[^/]*$)/, '*');
  return `+refs/heads/${pattern}:refs/remotes/${remote}/${pattern}`;
}

function noSuchBranch(branch: string, remote: string | undefined, isGiven: boolean): SagaError {
  const places = remote === undefined ? 'in this repository' : `here or on ${remote}`;
  return new SagaError(
    'git-failed',
    `There is no branch ${branch} ${places} for the story to start from.`,
    isGiven
      ? 'worktree.baseBranch in .saga/config.json must name one that exists, without the remote.'
      : 'Fetch it, or set worktree.baseBranch in .saga/config.json to one that exists.',
  );
}
