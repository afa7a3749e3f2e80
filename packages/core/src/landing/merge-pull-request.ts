import { epicFilePath, storyFilePath } from '@saga-ai/types/plan/plan-paths';
import { messageOf } from '../errors.ts';
import { chooseForge } from '../forge/choose-forge.ts';
import { type ForgePull, openForge } from '../forge/forge.ts';
import type { PullRequest } from '../forge/gh.ts';
import { GhRefusal, isRefusal } from '../forge/gh-refusal.ts';
import type { PullRequestStatus } from '../forge/pull-request-status.ts';
import { pushBranch } from '../git/remote/push.ts';
import { readFieldAt } from '../review/read-field-at.ts';
import { type Landing, notLanded } from './context.ts';
import { decideMerge } from './decide-merge.ts';

/** How long to wait before GitHub is asked again: the first wait, and the longest. */
const FIRST_MS = 3000;
const LONGEST_MS = 30_000;
/** A person waits for this push. */
const PUSH_MS = 60_000;

/** Finds the pull request that the merge goes through. Returns undefined if there is none, or if it is not wanted. */
export async function findPullRequest(landing: Landing): Promise<PullRequest | undefined> {
  const { worker, base, branch, wish, id } = landing;
  const { config, env, paths, network } = worker;
  const { pulls } = chooseForge({
    ...{ folder: paths.root, env, limits: network, mode: config.pullRequest.mode },
    remote: base.remote,
  });
  if (wish.isLocal || !pulls) return undefined;
  try {
    const known = await pulls.list(branch);
    return known.find((it) => it.state === 'OPEN') ?? (await findMerged(landing, known[0]));
  } catch (error) {
    if (isRefusal(error, 'nowhere')) return undefined;
    // Without a login SAGA has opened no pull request, unless the plan names one.
    if (isRefusal(error, 'no-login') && !(await namesPullRequest(landing))) return undefined;
    throw notLanded(
      landing,
      `GitHub cannot be asked for its pull request (${messageOf(error)})`,
      `Try again, or merge on this machine: saga land ${id} --local`,
    );
  }
}

/** Whether the plan on the branch names a pull request. */
async function namesPullRequest({ git, tip, kind, id }: Landing): Promise<boolean> {
  const file = kind === 'story' ? storyFilePath(id) : epicFilePath(id);
  return (await readFieldAt(git, tip, file, 'pr')) !== undefined;
}

/** Finds a merge that a person made on GitHub, if the branch is still at the merged commit. */
async function findMerged(
  landing: Landing,
  newest: PullRequest | undefined,
): Promise<PullRequest | undefined> {
  if (newest?.state !== 'MERGED') return undefined;
  const status = await openPull(landing, newest).loadStatus();
  return status.head === landing.tip ? newest : undefined;
}

function openPull({ worker }: Landing, { url }: PullRequest): ForgePull {
  const found = openForge(worker.paths.root, worker.env, worker.network).openPull(url);
  if (found) return found;
  throw new GhRefusal(`${url} is not the address of a pull request`);
}

/**
 * Merges by the pull request and the rules of the repository. Waits for checks and the merge queue. Throws if a rule, a
 * check or a reviewer blocks the merge. Returns 'later' if GitHub was told to merge by itself.
 */
export async function mergePullRequest(
  landing: Landing,
  pull: PullRequest,
): Promise<'merged' | 'later'> {
  const { worker, wish, id, kind, tip } = landing;
  const method = worker.config.pullRequest.mergeMethod;
  const place = openPull(landing, pull);
  if (pull.state === 'OPEN') await bringUp(landing, pull);
  const start = Date.now();
  let blockedSince: number | undefined;
  let told = '';
  let asked = false;
  for (let wait = FIRST_MS; ; wait = Math.min(wait * 1.5, LONGEST_MS)) {
    const status = await insist(landing, () => place.loadStatus());
    const isBlocked = status.mergeState === 'BLOCKED';
    blockedSince = isBlocked ? (blockedSince ?? Date.now()) : undefined;
    const blockedMs = blockedSince === undefined ? 0 : Date.now() - blockedSince;
    const wished = { id, isStory: kind === 'story', head: tip, method, blockedMs };
    const step = decideMerge(status, wished);
    if (step.kind === 'merged') return 'merged';
    if (step.kind === 'refuse') throw notLanded(landing, step.why, step.hint);
    if ((step.kind === 'merge' || step.kind === 'enqueue') && !asked) {
      wish.tell(describeStep(step.kind, pull, method));
      await merge(landing, () => place.merge(step.kind, status, method));
      asked = true;
      continue;
    }
    const reason = step.kind === 'wait' ? step.for : `GitHub to merge #${pull.number}`;
    if (Date.now() - start + wait > wish.waitMs) return giveUp(landing, status, reason, place);
    if (reason !== told) wish.tell(`waits for ${reason}`);
    told = reason;
    await wish.pause(wait);
  }
}

const describeStep = (kind: 'merge' | 'enqueue', { number }: PullRequest, method: string) =>
  kind === 'merge' ? `merges #${number} (${method})` : `puts #${number} into the merge queue`;

/**
 * Pushes commits that the remote lacks, and marks the pull request as ready. If GitHub refuses, the rules are checked
 * later all the same.
 */
async function bringUp(landing: Landing, pull: PullRequest): Promise<void> {
  const { worker, git, base, branch, tip } = landing;
  const { remote = '' } = base;
  if ((await git.resolve(`refs/remotes/${remote}/${branch}`)) !== tip) {
    await pushBranch(git, { remote, branch, commit: tip, timeoutMs: PUSH_MS });
  }
  if (!pull.isDraft) return;
  const { pulls } = openForge(worker.paths.root, worker.env, worker.network);
  await merge(landing, async () => pulls?.markReady(pull.number));
}

async function merge(landing: Landing, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw notLanded(
      landing,
      `GitHub refuses: ${messageOf(error)}`,
      `See the rules of ${landing.base.branch} on GitHub, then: saga land ${landing.id}`,
    );
  }
}

const FAILURES = 3;

/** Repeats a request to GitHub, so that a short failure does not end the wait for checks. */
async function insist(
  landing: Landing,
  load: () => Promise<PullRequestStatus>,
): Promise<PullRequestStatus> {
  for (let left = FAILURES; ; left--) {
    try {
      return await load();
    } catch (error) {
      if (left > 1) {
        await landing.wish.pause(FIRST_MS);
        continue;
      }
      throw notLanded(
        landing,
        `GitHub does not answer (${messageOf(error)})`,
        `Try again: saga land ${landing.id}`,
      );
    }
  }
}

/** Called when the time is up. GitHub is told to merge by itself if it can; otherwise the person must try again. */
async function giveUp(
  landing: Landing,
  status: PullRequestStatus,
  reason: string,
  place: ForgePull,
): Promise<'later'> {
  const { worker, wish, id } = landing;
  if (status.isInQueue || status.hasAutoMerge) return 'later';
  if (!status.allowed.auto) {
    throw notLanded(landing, `it still waits for ${reason}`, `Try again later: saga land ${id}`);
  }
  wish.tell(`tells GitHub to merge #${status.number} as soon as it can`);
  await merge(landing, () => place.merge('auto', status, worker.config.pullRequest.mergeMethod));
  return 'later';
}
