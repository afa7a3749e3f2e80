import { dirname, join } from 'node:path';
import type { Emit } from '@saga-ai/types/run/event';
import { SagaError } from '../../errors.ts';
import { ensureIgnoredFolder } from '../../files/atomic-write.ts';
import { identifyFolder } from '../../files/identify-folder.ts';
import { ASK_TOP, notTheTop, parseTop } from '../../git/checkout-top.ts';
import { type Base, fetchBranch, findBase } from '../../git/find-base.ts';
import { freeGitLocks } from '../../git/free-git-locks.ts';
import { findDiskFull, type Git, isAncestor, openGit } from '../../git/git.ts';
import { abandonMerge } from '../../git/merge-commit.ts';
import { pinPushHook, pinRemote, pinSettings } from '../../git/pins.ts';
import { openPlainGit } from '../../git/plain-git.ts';
import { pinLfs } from '../../git/remote/lfs-endpoint.ts';
import { withRepositoryLock } from '../../git/repository-lock.ts';
import type { Worktree } from '../../git/worktree.ts';
import { describeFailure } from '../../processes/describe-failure.ts';
import type { Environment } from '../../processes/run.ts';
import { displayPath } from '../../project/display-path.ts';
import { findGitRoot } from '../../project/find-project.ts';
import { storyBranch } from '../../project/paths.ts';
import { quote } from '../../project/quote.ts';
import { markWorktree } from '../../project/story-worktrees.ts';
import type { Worker } from '../context.ts';
import { reopenLeftovers } from '../settle/leftovers.ts';
import { reclaimWorktree } from '../settle/reclaim-worktree.ts';
import {
  endUnfinished,
  findUnfinishedRun,
  recoverUnfinishedRun,
} from '../settle/unfinished-run.ts';
import { carryStory } from './carry-story.ts';
import { comparePlan } from './compare-plan.ts';
import { copyIncludedFiles } from './copy-included-files.ts';
import { findWorktree } from './find-worktree.ts';
import { ensureWorktreePlace } from './find-worktree-place.ts';
import { includePlan } from './include-plan.ts';
import { keepRemains } from './keep-remains.ts';
import { describeRefusedBranch, requireRunNames } from './run-names.ts';
import { runSetup } from './run-setup.ts';

/**
 * The limit of a checkout. It is generous, because a large repository takes long, and half a checkout is worse than
 * none.
 */
const CHECKOUT_MS = 20 * 60_000;

/** Finds the story's worktree, or makes it from what already exists of its branch. */
export async function ensureWorktree(worker: Worker): Promise<Worktree> {
  const { paths, storyId, env, emit, network } = worker;
  const git = openGit(paths.root, env, network);
  const branch = storyBranch(paths, storyId);
  const { folder, reason } = ensureWorktreePlace(worker);
  const path = displayPath(paths.root, folder);
  emit('worktree:start', { path, branch });
  if (reason !== undefined) emit('worktree:inside', { path, reason });
  await keepRemains(worker, folder);
  const exists = await findWorktree(git, folder, branch);
  // Do not fetch in a rehearsal: its stand-in only has what was fetched earlier, and may be older than this
  // repository.
  const isFetched = exists || paths.isRehearsal;
  const base = await findBase(
    git,
    worker.base.name,
    isFetched ? undefined : { emit, also: branch },
  );
  if (paths.isRehearsal) await requireRunNames(worker, git, base.commit);
  const origin = exists ? 'branch' : await addWorktree(worker, git, folder, branch, base);
  const worktree = await openWorktree(worker, folder, branch, base);
  const inside = worktree.git;
  markWorktree(worktree.gitFolder, branch, paths.root);
  await freeGitLocks(worktree, emit);
  await abandonMerge(worktree, openPlainGit(folder, inside.env));
  recoverUnfinishedRun(worker, worktree);
  const cutOff = findUnfinishedRun(worktree);
  if (cutOff) {
    await endUnfinished(worker, cutOff);
    await reclaimWorktree(worktree, openPlainGit(folder, inside.env), emit, cutOff);
  } else {
    await includePlan(worktree);
    if (origin === 'branch') {
      await reopenLeftovers(worker, worktree);
      // This comes after the leftovers, because they are compared with the branch as the run left it.
      await catchUp(worktree, emit);
    }
  }
  const ahead = Number(await inside.run(['rev-list', '--count', `${base.commit}..HEAD`]));
  emit(exists ? 'worktree:found' : 'worktree:created', {
    path,
    branch,
    base: base.branch ?? base.commit,
    ahead,
  });
  const isBegun =
    ahead > 0 || origin === 'remote' || (origin === 'branch' && (await hasMoved(inside, branch)));
  await carryStory(worker, worktree, isBegun);
  if (isBegun && !cutOff) await comparePlan(worker, worktree);
  await copyIncludedFiles(worker, worktree);
  await runSetup(worker, worktree);
  // The hook is pinned after setup, because setup may install it.
  const pushHook = await pinPushHook(inside);
  return { ...worktree, ...(pushHook ? { pushHook } : {}) };
}

async function openWorktree(
  { env, network }: Worker,
  folder: string,
  branch: string,
  base: Base,
): Promise<Worktree> {
  const found = openGit(folder, env, network);
  const [{ top, gitFolder }, pinned, settings] = await Promise.all([
    found.run(ASK_TOP).then(parseTop),
    base.remote === undefined ? undefined : pinRemote(found, base.remote),
    pinSettings(found, env),
  ]);
  const known = { ...base, ...(pinned ? { pinned } : {}) };
  const git = openGit(folder, await pinLfs(found, known, settings), network);
  const identity = identifyFolder(folder);
  if (top === folder) return { folder, identity, branch, base: known, git, gitFolder };
  throw notTheTop(folder, top);
}

/** Where the branch of the new worktree came from. */
type Origin = 'branch' | 'remote' | 'base';

async function addWorktree(
  { paths, env }: Worker,
  git: Git,
  folder: string,
  branch: string,
  base: Base,
): Promise<Origin> {
  const [tip] = await Promise.all([
    git.resolve(`refs/heads/${branch}`),
    ensureIgnored(dirname(folder), env),
  ]);
  let origin: Origin = 'branch';
  if (tip === undefined) {
    // If the story was begun on another machine, its branch is only on the remote.
    const begun = base.remote && (await git.resolve(`refs/remotes/${base.remote}/${branch}`));
    origin = begun ? 'remote' : 'base';
    await createBranch(git, branch, begun || base.commit);
  }
  const added = await withRepositoryLock(git, () =>
    git.attempt(['worktree', 'add', '-q', folder, branch], { timeoutMs: CHECKOUT_MS }),
  );
  // git reports failure if a hook of the project fails, although all files are there.
  if (added.code === 0 || (await findWorktree(git, folder, branch))) return origin;
  const full = findDiskFull(folder, added);
  if (full) throw full;
  throw new SagaError(
    'worktree-taken',
    `git cannot create the worktree ${folder}: ${describeFailure(added)}.`,
    `To see it yourself: git -C ${quote(paths.root)} worktree add ${quote(folder)} ${branch}`,
  );
}

/** Makes git ignore the worktrees folder if it lies inside a checkout (this one or another). */
async function ensureIgnored(worktrees: string, env: Environment): Promise<void> {
  const checkout = findGitRoot(worktrees);
  if (checkout === undefined) return;
  const around = openGit(checkout, env);
  const { code } = await around.attempt(['check-ignore', '-q', `${join(worktrees, 'x')}/`]);
  if (code !== 0) ensureIgnoredFolder(worktrees);
}

async function createBranch(git: Git, branch: string, start: string): Promise<void> {
  const made = await git.attempt(['branch', '--no-track', branch, start]);
  if (made.code !== 0) throw await describeRefusedBranch(git, branch, start, made);
}

/** Fast-forwards the story's branch to commits that were pushed to it. Does nothing if that would need a merge. */
async function catchUp({ git, branch, base }: Worktree, emit: Emit): Promise<void> {
  const { remote, isUnreachable } = base;
  if (remote === undefined || isUnreachable) return;
  const tracking = `refs/remotes/${remote}/${branch}`;
  if (!(await git.resolve(tracking))) return;
  const fetched = await fetchBranch(git, remote, branch, { emit, pinned: base.pinned });
  if (fetched === 'failed') base.isUnreachable = true;
  if (fetched !== 'fetched') return;
  if (await isAncestor(git, tracking, 'HEAD')) return;
  if (!(await isAncestor(git, 'HEAD', tracking))) return;
  const merged = await git.attempt(['merge', '--ff-only', '-q', tracking]);
  const reason = merged.code === 0 ? {} : { reason: describeFailure(merged) };
  emit(merged.code === 0 ? 'branch:updated' : 'branch:not-updated', { branch, remote, ...reason });
}

/**
 * Whether the branch ever moved, by its reflog: a merged branch is not ahead of its base, but work on
 * it has begun.
 */
async function hasMoved(git: Git, branch: string): Promise<boolean> {
  const moves = await git.attempt(['rev-list', '-g', '--count', `refs/heads/${branch}`]);
  return Number(moves.stdout) > 1;
}
