import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { storyPath } from '@saga-ai/types/plan/plan-paths';
import type { RunEvent } from '@saga-ai/types/run/event';
import { agent } from '../agents/chosen.ts';
import { SagaError } from '../errors.ts';
import { ensureIgnoredFolder } from '../files/atomic-write.ts';
import { identifyFolder } from '../files/identify-folder.ts';
import { commitOf, loadRefs } from '../git/branches.ts';
import { ASK_TOP, notTheTop, parseTop } from '../git/checkout-top.ts';
import { commitPath } from '../git/commit.ts';
import { findBase, findRemote } from '../git/find-base.ts';
import { freeGitLocks } from '../git/free-git-locks.ts';
import { openGit } from '../git/git.ts';
import { abandonMerge } from '../git/merge-commit.ts';
import { pinRemote } from '../git/pins.ts';
import { keepOut, openPlainGit } from '../git/plain-git.ts';
import { formatUpdateTrash } from '../git/refs/trash-refs.ts';
import { pinLfs } from '../git/remote/lfs-endpoint.ts';
import { listUncommitted } from '../git/uncommitted.ts';
import { findUsableWorktree, type Worktree } from '../git/worktree.ts';
import { tellConflict } from '../messages/tell-conflict.ts';
import type { ToldConflict } from '../messages/tell-refused-merge.ts';
import { findBaseBranch } from '../overview/facts/base-branches.ts';
import type { BaseBranch } from '../overview/facts/choose-base-branch.ts';
import { loadOverview } from '../overview/overview.ts';
import { loadStory } from '../plan/stories.ts';
import { requireIdle } from '../plan/story-lock.ts';
import { startLifeline } from '../processes/lifeline.ts';
import { acquireLock } from '../processes/lock.ts';
import { storyBranch, workerLock } from '../project/paths.ts';
import { quote } from '../project/quote.ts';
import { findStoryWorktree, pinWorktree } from '../project/story-worktrees.ts';
import { type TakenBase, takeBase } from '../worker/base/take-base.ts';
import { findSecretsOf, type Worker, type WorkerOrder } from '../worker/context.ts';
import { limitNetworkTime } from '../worker/network-limits.ts';
import { ensureWorktree } from '../worker/prepare/ensure-worktree.ts';
import { createEmit, maskEvents } from '../worker/session-log.ts';
import { settleUnfinished } from '../worker/settle/settle-run.ts';
import { type TakenPlan, takePlan } from './take-plan.ts';

export interface UpdateOrder extends WorkerOrder {
  /** Instead of the branch that the story is based on. */
  base?: BaseBranch;
  /** Whether the plan and the base are brought into the worktree, and whether the next run is told of a conflict. */
  parts: { plan: boolean; base: boolean; tellsRun?: boolean };
  listen(event: RunEvent): void;
}

export interface Updated {
  /** The base's branch, or its commit. */
  base: string;
  /** The newest commit of the base. */
  commit: string;
  plan?: TakenPlan;
  taken?: TakenBase;
  /** Who is told that the base conflicts: the next run, or a person. */
  told?: ToldConflict;
  /** Where changes in files that nobody committed were kept before the merge. */
  keptIn?: string;
}

/**
 * Brings a story's worktree up to date: with its plan as it was edited in the main checkout, and with the base. A story
 * that has only a branch gets a worktree first. Throws while a worker runs. Returns undefined if there is nothing to
 * update: the story has neither a worktree nor a branch, or it is merged.
 */
export async function updateStory(order: UpdateOrder): Promise<Updated | undefined> {
  const { parts, listen, ...rest } = order;
  const { paths, storyId, session } = rest;
  loadStory(paths, storyId);
  if (!(await isOpen(order))) return undefined;
  using _lock = await lockIdle(order);
  using lifeline = startLifeline(paths.repository, session);
  using network = limitNetworkTime(rest, lifeline);
  const git = openGit(paths.root, rest.env);
  const base = order.base ?? (await findBaseBranch(paths, storyId, rest.config, git));
  const worker: Worker = {
    ...rest,
    base,
    agent,
    emit: maskEvents(createEmit(listen), findSecretsOf({ ...rest, agent })),
    lifeline,
    network,
  };
  const folder = await ensureFolder(worker);
  const pinned = { ...worker, paths: pinWorktree(paths, storyId, folder) };
  const worktree = await openWorktree(pinned, folder, parts.base);
  await settleUnfinished(pinned, worktree);
  return bringIn(pinned, worktree, parts);
}

async function isOpen({ paths, storyId, env }: UpdateOrder): Promise<boolean> {
  if (findStoryWorktree(paths, storyId)?.isOwn) return true;
  const refs = await loadRefs(openGit(paths.root, env)).catch(() => undefined);
  if (!refs || commitOf(refs, storyBranch(paths, storyId)) === undefined) return false;
  const { stories } = await loadOverview(paths, env);
  return stories.find(({ id }) => id === storyId)?.state !== 'done';
}

/** Finds the worktree, or makes it from the branch. Nothing of the project is run: the next worker sets it up. */
async function ensureFolder(worker: Worker): Promise<string> {
  const found = findUsableWorktree(worker.paths, worker.storyId);
  if (found?.isOwn) return found.folder;
  const { config } = worker;
  const withoutSetup = { ...config, worktree: { ...config.worktree, setup: null } };
  return (await ensureWorktree({ ...worker, config: withoutSetup })).folder;
}

async function bringIn(
  { paths, storyId, env }: Worker,
  worktree: Worktree,
  parts: UpdateOrder['parts'],
): Promise<Updated> {
  const git = openPlainGit(worktree.folder, worktree.git.env);
  await abandonMerge(worktree, git);
  await requireWhole(worktree);
  const { branch, commit } = worktree.base;
  const updated: Updated = { base: branch ?? commit, commit };
  if (parts.plan) {
    const inMain = openPlainGit(paths.root, env);
    updated.plan = await takePlan(paths, storyId, worktree, git, inMain);
  }
  if (!parts.base) return updated;
  await commitPath(git, storyPath(storyId), `saga: keep the plan of ${storyId} as it was here`);
  const keptIn = await keepUncommitted(worktree, storyId, git);
  updated.taken = await takeBase(paths, storyId, worktree, git);
  if (updated.taken.kind === 'conflict' && parts.tellsRun) {
    const { files } = updated.taken;
    const tip = await git.run(['rev-parse', 'HEAD']);
    const conflict = { branch: worktree.branch, tip, base: updated.base, commit, files };
    updated.told = await tellConflict(paths, storyId, conflict);
    await commitPath(git, storyPath(storyId), `saga: ${storyId} conflicts with ${updated.base}`);
  }
  return { ...updated, ...(keptIn === undefined ? {} : { keptIn }) };
}

/** Holds the worker's lock, so that no worker starts meanwhile. */
async function lockIdle({ paths, storyId }: UpdateOrder): Promise<Disposable> {
  ensureIgnoredFolder(paths.runs);
  requireIdle(paths, storyId);
  const { release } = await acquireLock(workerLock(paths, storyId), 0);
  return { [Symbol.dispose]: release };
}

async function openWorktree(
  { paths, storyId, base: { name }, env, network, emit }: Worker,
  folder: string,
  isFetched: boolean,
): Promise<Worktree> {
  const git = openGit(folder, env, network);
  const { top, gitFolder } = parseTop(await git.run(ASK_TOP));
  if (top !== folder) throw notTheTop(folder, top);
  const remote = isFetched ? await findRemote(git) : undefined;
  // A relative address counts from the main checkout, and git would read it from the worktree.
  const pinned = remote === undefined ? undefined : await pinRemote(git, remote);
  const base = await findBase(git, name, isFetched ? { emit, pinned } : undefined);
  const branch = storyBranch(paths, storyId);
  const pinnedGit = openGit(folder, await pinLfs(git, { ...base, pinned }, env), network);
  const identity = identifyFolder(folder);
  const worktree = { folder, identity, branch, base, git: pinnedGit, gitFolder };
  await freeGitLocks(worktree, emit);
  return worktree;
}

/** Throws if an operation of git is unfinished in the worktree, or if the worktree is not on its branch. */
async function requireWhole({ folder, branch, git, gitFolder }: Worktree): Promise<void> {
  const at = `git -C ${quote(folder)}`;
  const current = (await git.attempt(['symbolic-ref', '-q', '--short', 'HEAD'])).stdout.trim();
  const under = UNDER_WAY.find(([file]) => existsSync(join(gitFolder, file)));
  if (under) {
    const [, what] = under;
    throw new SagaError(
      'git-failed',
      `A ${what} is under way in ${folder}.`,
      `Finish it there, or give it up: ${at} ${what} --abort`,
    );
  }
  if (current === branch) return;
  throw new SagaError(
    'worktree-taken',
    `${folder} is on ${current || 'no branch'}, but should be on ${branch}.`,
    `Commit what is there, then: ${at} switch ${branch}`,
  );
}

const UNDER_WAY = [
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
] as const;

/** Keeps a copy of uncommitted changes. git itself keeps them through a merge, so the copy is only for safety. */
async function keepUncommitted(
  { branch }: Worktree,
  storyId: string,
  git: ReturnType<typeof openPlainGit>,
): Promise<string | undefined> {
  if ((await listUncommitted(git)).length === 0) return undefined;
  const kept = (
    await (await keepOut(git)).run(['stash', 'create', `uncommitted on ${branch}`])
  ).trim();
  if (kept === '') return undefined;
  const ref = formatUpdateTrash(storyId, Date.now());
  await git.run(['update-ref', ref, kept]);
  return ref;
}
