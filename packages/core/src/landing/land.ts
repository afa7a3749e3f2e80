import type { RunEvent } from '@saga-ai/types/run/event';
import { formatEpicBranch, formatStoryBranch } from '@saga-ai/types/words/names';
import { agent } from '../agents/chosen.ts';
import { SagaError } from '../errors.ts';
import { ensureIgnoredFolder } from '../files/atomic-write.ts';
import type { PullRequest } from '../forge/gh.ts';
import { findBase } from '../git/find-base.ts';
import { isAncestor, openGit } from '../git/git.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { pinLfs } from '../git/remote/lfs-endpoint.ts';
import { findBaseBranch } from '../overview/facts/base-branches.ts';
import { requireIdle } from '../plan/story-lock.ts';
import { startLifeline } from '../processes/lifeline.ts';
import { acquireLock, findLockOwner } from '../processes/lock.ts';
import { epicLock, workerLock } from '../project/paths.ts';
import { findReviewRange } from '../review/find-range.ts';
import { isForReview, listChanges } from '../review/list-changes.ts';
import { findSecretsOf, type Worker, type WorkerOrder } from '../worker/context.ts';
import { limitNetworkTime } from '../worker/network-limits.ts';
import { findSandbox } from '../worker/run/enclose.ts';
import { createEmit, maskEvents } from '../worker/session-log.ts';
import { type Landing, type LandWish, type NamedBase, notLanded } from './context.ts';
import { isStoryLanded } from './find-landed.ts';
import { type Forwarded, forwardBase } from './forward-base.ts';
import { listLandedStories } from './landed-stories.ts';
import { mergeLocally, type Verification, verifyLanding } from './merge-locally.ts';
import { findPullRequest, mergePullRequest } from './merge-pull-request.ts';
import { requireEvidence, requireInReview } from './require-evidence.ts';
import { removeMergeCheckout, type Tidied, tidy } from './tidy.ts';

export interface LandOrder extends WorkerOrder {
  kind: 'story' | 'epic';
  wish: LandWish;
  listen(event: RunEvent): void;
}

export interface Landed {
  /** already: the item was merged before this command. later: GitHub merges it when its rules allow that. */
  result: 'landed' | 'already' | 'later';
  /** Undefined if the item was merged before this command. */
  by?: 'pull-request' | 'merge';
  base: string;
  /** The commit of the base that has the work. */
  commit: string;
  pullRequest?: PullRequest;
  verified?: Verification;
  forwarded?: Forwarded;
  tidied?: Tidied;
}

/**
 * Merges a story or an epic that was checked, by its pull request or on this machine, and tidies up. After a kill it
 * can be called again: it finds the steps that are done, and merges only once.
 */
export async function land(order: LandOrder): Promise<Landed> {
  const { landing, ...landed } = await landLocked(order);
  if (!landing || order.wish.isKept) return landed;
  // Tidying comes after the lock is released, because it takes the lock of each item that it removes.
  return { ...landed, tidied: await tidy(landing, landed.commit) };
}

/** Does everything except the tidying. Sets `landing` if there is something to tidy. */
async function landLocked(order: LandOrder): Promise<Landed & { landing?: Landing }> {
  const { kind, wish, listen, ...rest } = order;
  if (kind === 'story') await requireInReview(order);
  using _lock = await lock(order);
  using lifeline = startLifeline(rest.paths.repository, rest.session);
  using network = limitNetworkTime(rest, lifeline);
  const { paths, storyId: id, env } = rest;
  const base = await findBaseBranch(paths, id, rest.config, openGit(paths.root, env));
  const asked: Worker = {
    ...rest,
    base,
    agent,
    emit: maskEvents(createEmit(listen), findSecretsOf({ ...rest, agent })),
    lifeline,
    network,
  };
  const worker = { ...asked, ...(await findSandbox(asked)) };
  const landing = await open(worker, kind, wish);
  const known = await findContained(landing);
  if (known !== undefined) return finish(landing, { result: 'already', commit: known });
  const { isUnverified } = await requireEvidence(landing);
  const pull = await findPullRequest(landing);
  await ask(landing, pull, isUnverified);
  if (!pull) {
    const merged = await mergeInCheckout(landing);
    return finish(landing, { result: 'landed', by: 'merge', ...merged });
  }
  // A person may have committed to the branch of an epic since its last merge was verified.
  const checked = { commit: landing.tip, isChecked: true };
  const verified = await verifyLanding(landing, landing.base, checked);
  const found = { by: 'pull-request', pullRequest: pull, verified } as const;
  if ((await mergePullRequest(landing, pull)) === 'later') {
    const { branch, commit } = landing.base;
    return { result: 'later', base: branch, commit, ...found };
  }
  const { commit } = await findNamedBase(landing);
  return finish(landing, { result: 'landed', commit, ...found });
}

async function mergeInCheckout(landing: Landing) {
  try {
    return await mergeLocally(landing, () => findNamedBase(landing));
  } finally {
    await removeMergeCheckout(landing);
  }
}

/** Finds the branch and the base. */
async function open(worker: Worker, kind: LandOrder['kind'], wish: LandWish): Promise<Landing> {
  const { paths, storyId: id, env } = worker;
  const plain = openPlainGit(paths.root, env, worker.network);
  const stories = listLandedStories(paths, kind, id);
  const branch = kind === 'story' ? formatStoryBranch(id) : formatEpicBranch(id);
  const base = await findNamedBase({ worker, git: plain, kind, id, branch });
  const git = openPlainGit(paths.root, await pinLfs(plain, base, env), worker.network);
  const place = { worker, kind, id, stories, git, branch, wish };
  const tip = await git.resolve(`refs/heads/${branch}`);
  if (tip !== undefined) return { ...place, base, tip };
  const item = { paths, config: worker.config, kind, id };
  const range = await findReviewRange(git, item);
  // The branch is gone because it was landed: only the tidying is left to do.
  if (range?.isMerged) return { ...place, base, tip: base.commit };
  if (!range) {
    throw notLanded(place, `it has no branch yet`, `Start the work: saga run ${id}`);
  }
  const from = `${base.remote}/${branch}`;
  throw notLanded(
    place,
    `${branch} is only on ${base.remote}`,
    `Take it over and check it here: git branch ${branch} ${from}, then saga run ${id}`,
  );
}

/** Asks the remote for the newest base. */
async function findNamedBase(
  landing: Pick<Landing, 'worker' | 'git' | 'kind' | 'id' | 'branch'>,
): Promise<NamedBase> {
  const { worker, git, branch: also, id } = landing;
  const base = await findBase(git, worker.base.name, { emit: worker.emit, also });
  const { branch } = base;
  if (base.isUnreachable) {
    const hint = `Is there a network? Then try again: saga land ${id}`;
    throw notLanded(landing, `${base.remote} cannot be reached`, hint);
  }
  if (branch !== undefined) return { ...base, branch };
  throw notLanded(
    landing,
    'the branch to merge into is unknown',
    'Name it: saga config worktree.baseBranch main',
  );
}

/** Returns the commit of the base if it has this very work already. */
async function findContained(landing: Landing): Promise<string | undefined> {
  const { git, base, tip, kind, id, worker } = landing;
  const isThere =
    kind === 'story'
      ? await isStoryLanded(git, worker.paths, id, base.commit)
      : await isAncestor(git, tip, base.commit);
  return isThere ? base.commit : undefined;
}

async function ask(
  landing: Landing,
  pull: PullRequest | undefined,
  isUnverified: boolean,
): Promise<void> {
  const { git, worker, branch, base, tip, kind, id, wish } = landing;
  const item = { paths: worker.paths, config: worker.config, kind, id };
  const range = await findReviewRange(git, item);
  const all = range ? await listChanges(git, range) : [];
  const changes = all.filter(({ path }) => isForReview(path));
  const sum = (of: 'added' | 'removed') => changes.reduce((all, it) => all + (it[of] ?? 0), 0);
  const isAgreed = await wish.confirm({
    branch,
    base: base.branch,
    tip,
    files: changes.length,
    added: sum('added'),
    removed: sum('removed'),
    isUnverified,
    ...(pull
      ? {
          pullRequest: {
            number: pull.number,
            url: pull.url,
            method: worker.config.pullRequest.mergeMethod,
          },
        }
      : base.remote === undefined
        ? {}
        : { pushedTo: base.remote }),
  });
  if (isAgreed) return;
  throw new SagaError(
    'not-landed',
    `You did not agree, so ${branch} was not merged.`,
    `To look at it again: saga diff ${id}`,
  );
}

/** Brings the main checkout up to date. */
async function finish(
  landing: Landing,
  done: Omit<Landed, 'base' | 'forwarded' | 'tidied'>,
): Promise<Landed & { landing: Landing }> {
  const { git, base, stories } = landing;
  const forwarded = await forwardBase(git, base.branch, done.commit, stories);
  return { ...done, base: base.branch, forwarded, landing };
}

/** Takes the lock, so that no worker and no scheduler starts during the landing. */
async function lock({ paths, storyId: id, kind }: LandOrder): Promise<Disposable> {
  ensureIgnoredFolder(paths.runs);
  if (kind === 'story') requireIdle(paths, id, 'it cannot be merged now');
  const path = kind === 'story' ? workerLock(paths, id) : epicLock(paths, id);
  const owner = kind === 'epic' ? findLockOwner(path) : undefined;
  if (owner) {
    throw new SagaError(
      'lock-held',
      `Epic ${id} is being run (process ${owner.pid}), so it cannot be merged now.`,
      `Wait for its end: saga logs -f ${id}. Or stop it: saga stop ${id}`,
    );
  }
  const { release } = await acquireLock(path, 0);
  return { [Symbol.dispose]: release };
}
