import { setTimeout as sleep } from 'node:timers/promises';
import { storyFilePath } from '@saga-ai/types/plan/plan-paths';
import type { Evidence } from '@saga-ai/types/run/evidence';
import { maskText } from '@saga-ai/types/words/mask-secrets';
import { messageOf } from '../../errors.ts';
import { chooseForge } from '../../forge/choose-forge.ts';
import { buildCompareUrl } from '../../forge/compare-url.ts';
import type { PullRequests } from '../../forge/forge.ts';
import type { PullRequest } from '../../forge/gh.ts';
import { GhRefusal, isRefusal } from '../../forge/gh-refusal.ts';
import { commitTracked } from '../../git/commit.ts';
import type { Worktree } from '../../git/worktree.ts';
import { loadEvidence } from '../../plan/load-evidence.ts';
import { loadStory, saveStoryFields } from '../../plan/stories.ts';
import { findSecretsOf, type Worker } from '../context.ts';
import { publish } from './publish.ts';
import { buildPullRequestBody, replacePullRequestBody } from './pull-request-body.ts';

/** The story's pull request. If there is none, the methods do nothing and return undefined. */
export interface StoryPullRequest {
  url?: string;
  /** Why a wanted pull request could not be opened. The worker tries again when the gate has passed. */
  missing?: string;
  /** Updates the checklist. Several calls at once are carried out one after the other. */
  refresh(evidence?: Evidence): Promise<void>;
  /** Returns the reason if GitHub refused, else undefined. */
  markReady(evidence: Evidence): Promise<string | undefined>;
}

/**
 * Finds the story's pull request or opens a draft. Without a place for pull requests the work continues, and an event
 * says so, with the page on which a person compares the branch.
 */
export async function ensureDraftPullRequest(
  worker: Worker,
  worktree: Worktree,
): Promise<StoryPullRequest> {
  const { config, emit, env, network } = worker;
  const { base } = worktree;
  emit('pull-request:start', {});
  const { pulls, missing = '' } = chooseForge({
    ...{ folder: worktree.folder, env, limits: network, mode: config.pullRequest.mode },
    ...{ remote: base.remote, url: base.pinned?.fetchUrl },
  });
  const compare = findComparePage(worktree);
  const skip = (
    reason: string,
    isWanted = pulls !== undefined,
    isPushed = false,
  ): StoryPullRequest => {
    emit('pull-request:skipped', { reason, compare: isPushed && compare ? compare : undefined });
    return isWanted ? { ...NONE, missing: reason } : NONE;
  };
  if (base.isUnreachable) return skip(`${base.remote} cannot be reached`);
  // The list of pull requests does not depend on the push, so both run at the same time.
  const known = pulls?.list(worktree.branch);
  known?.catch(() => {
    // Reported below, after the push.
  });
  const published = await publish(worker, worktree);
  if (!pulls || !known) return skip(missing, false, published.pushed);
  if (!published.pushed) return skip(published.reason);
  try {
    const pull = await findOrCreate(worker, worktree, pulls, await known, published.isNew);
    return bind(worker, pulls, pull);
  } catch (error) {
    // These two reasons will not go away, so the worker does not try again.
    const isWanted = !isRefusal(error, 'nowhere', 'over');
    // A pull request that a person merged or closed is not opened again.
    return skip(messageOf(error), isWanted, !isRefusal(error, 'over'));
  }
}

/** Returns the page on which a person opens the pull request, if SAGA knows the pages of the remote. */
function findComparePage({ base, branch }: Worktree): string | undefined {
  const url = base.pinned?.fetchUrl;
  if (url === undefined || base.branch === undefined) return undefined;
  return buildCompareUrl(url, base.branch, branch);
}

const NONE: StoryPullRequest = { refresh: async () => {}, markReady: async () => undefined };

async function findOrCreate(
  worker: Worker,
  worktree: Worktree,
  gh: PullRequests,
  known: readonly PullRequest[],
  isNew: boolean,
): Promise<PullRequest> {
  const { paths, storyId, emit } = worker;
  const open = known.find((it) => it.state === 'OPEN');
  if (open) emit('pull-request:found', { number: open.number, url: open.url, draft: open.isDraft });
  const pull = open ?? (await create(worker, worktree, gh, known[0], isNew));
  const isSaved = await saveStoryFields(paths, storyId, { pr: pull.url });
  // A worker that was killed may have saved it and not committed it. Then the next run would be held responsible.
  if (isSaved || !(await isCommitted(worktree, storyId, pull.url))) {
    const message = `saga: pull request of ${storyId}`;
    await commitTracked(worktree.git, storyFilePath(storyId), message);
  }
  return pull;
}

async function isCommitted({ git }: Worktree, storyId: string, url: string): Promise<boolean> {
  const { stdout } = await git.attempt(['show', `HEAD:${storyFilePath(storyId)}`]);
  return stdout.includes(JSON.stringify(url));
}

async function create(
  worker: Worker,
  { branch, base }: Worktree,
  gh: PullRequests,
  earlier: PullRequest | undefined,
  isNew: boolean,
): Promise<PullRequest> {
  const { paths, storyId, config, emit } = worker;
  const { story, tasks } = loadStory(paths, storyId);
  const isComplete = tasks.every((task) => task.status === 'completed');
  // A person already merged or closed this finished work, so it is not proposed again.
  if (earlier && isComplete && !isNew) {
    throw new GhRefusal(describeEnded(earlier), 'over');
  }
  if (base.branch === undefined) {
    throw new GhRefusal('the branch to merge into is unknown; set worktree.baseBranch');
  }
  const pull = await gh.createDraft({
    title: `Story: ${storyId}`,
    body: maskText(buildPullRequestBody(story, tasks), findSecretsOf(worker)),
    head: branch,
    base: base.branch,
  });
  emit('pull-request:created', {
    number: pull.number,
    url: pull.url,
    earlier: earlier ? { number: earlier.number, state: earlier.state } : undefined,
  });
  const { labels } = config.pullRequest;
  if (labels.length > 0) await attempt(emit, pull, 'labels', () => gh.addLabels(pull, labels));
  return pull;
}

function describeEnded({ number, state }: PullRequest): string {
  return state === 'MERGED'
    ? `#${number} is merged already`
    : `#${number} was closed; to take it up again: gh pr reopen ${number}`;
}

function bind(worker: Worker, gh: PullRequests, pull: PullRequest): StoryPullRequest {
  const { paths, storyId, config, emit } = worker;
  const secrets = findSecretsOf(worker);
  let waiting: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();
  const write = (evidence?: Evidence) =>
    attempt(emit, pull, 'text', async () => {
      const { story, tasks, home } = loadStory(paths, storyId);
      const isComplete = tasks.every((task) => task.status === 'completed');
      const found = evidence ?? (isComplete ? loadEvidence(paths, home) : undefined);
      const before = await gh.readBody(pull);
      const own = maskText(buildPullRequestBody(story, tasks, found), secrets);
      const after = replacePullRequestBody(before, own);
      if (after !== before) await gh.writeBody(pull, after);
    });
  const refresh = (evidence?: Evidence) => {
    // A waiting update has not started, so it will include this change too.
    waiting ??= running.then(() => {
      waiting = undefined;
      running = write(evidence);
      return running;
    });
    return waiting;
  };
  return {
    url: pull.url,
    refresh,
    async markReady(evidence) {
      await refresh(evidence);
      const wasDraft = pull.isDraft;
      try {
        if (wasDraft) await insist(() => gh.markReady(pull.number));
        pull.isDraft = false;
        emit('pull-request:ready', { number: pull.number, url: pull.url, wasDraft });
      } catch (error) {
        emit('pull-request:not-ready', { number: pull.number, reason: messageOf(error) });
        return `#${pull.number} could not be marked ready: ${messageOf(error)}`;
      }
      const { reviewers } = config.pullRequest;
      if (wasDraft && reviewers.length > 0) {
        await attempt(emit, pull, 'reviewers', () => gh.requestReviewers(pull, reviewers));
      }
      return undefined;
    },
  };
}

/** A failure to update GitHub never stops the work: the same facts are kept in the repository. */
async function attempt(
  emit: Worker['emit'],
  { number }: PullRequest,
  what: 'labels' | 'reviewers' | 'text',
  action: () => Promise<void>,
): Promise<void> {
  try {
    await action();
  } catch (error) {
    emit('pull-request:not-updated', { number, what, reason: `${what}: ${messageOf(error)}` });
  }
}

const WAITS_MS = [300, 1500];

/** Repeats the action a few times: a short failure of GitHub must not spoil the last step of a long run. */
async function insist(action: () => Promise<void>): Promise<void> {
  for (const wait of WAITS_MS) {
    try {
      return await action();
    } catch (error) {
      if (!isRefusal(error, 'server', 'unreachable')) throw error;
      await sleep(wait);
    }
  }
  return action();
}
