import { setTimeout as sleep } from 'node:timers/promises';
import { storyFilePath } from '@saga-ai/types/plan/plan-paths';
import type { Evidence } from '@saga-ai/types/run/evidence';
import { messageOf } from '../../errors.ts';
import { type Gh, GhRefusal, openGh, type PullRequest } from '../../forge/gh.ts';
import { commitTracked } from '../../git/git.ts';
import type { Worktree } from '../../git/worktree.ts';
import { loadEvidence } from '../../plan/load-evidence.ts';
import { loadStory, saveStoryFields } from '../../plan/stories.ts';
import type { Worker } from '../context.ts';
import { publish } from './publish.ts';
import { buildPullRequestBody, replacePullRequestBody } from './pull-request-body.ts';

/** The story's pull request; without one every verb says nothing and does nothing. */
export interface StoryPullRequest {
  url?: string;
  /** Why there is none although one is wanted. It is asked for once more when the gate has passed. */
  missing?: string;
  /** Brings the checklist up to date; asked often, it does so one at a time. */
  refresh(evidence?: Evidence): Promise<void>;
  /** Says why not, when GitHub did not take it. */
  markReady(evidence: Evidence): Promise<string | undefined>;
}

/** Found or opened as a draft. Without GitHub the work goes on, and that is said. */
export async function ensureDraftPullRequest(
  worker: Worker,
  worktree: Worktree,
  /** Whether gh is on PATH. */
  hasGh: boolean,
): Promise<StoryPullRequest> {
  const { config, emit, env, network } = worker;
  const { base } = worktree;
  emit('pull-request:start', {});
  const isPossible = config.pullRequest.mode === 'auto' && base.remote !== undefined && hasGh;
  const skip = (reason: string, isWanted = isPossible): StoryPullRequest => {
    emit('pull-request:skipped', { reason });
    return isWanted ? { ...NONE, missing: reason } : NONE;
  };
  if (base.isUnreachable) return skip(`${base.remote} cannot be reached`);
  const gh = isPossible ? openGh(worktree.folder, env, { limits: network }) : undefined;
  // What GitHub knows of the branch does not depend on the push, so both are under way at once.
  const known = gh?.list(worktree.branch);
  known?.catch(() => {
    // Told below, once the push is over.
  });
  const published = await publish(worktree, emit);
  if (config.pullRequest.mode === 'off') return skip('pull requests are switched off');
  if (!hasGh) return skip('gh is not installed; see https://cli.github.com');
  if (!published.pushed) return skip(published.reason);
  if (!gh || !known) return skip('there is no remote');
  try {
    const pull = await findOrCreate(worker, worktree, gh, await known, published.isNew);
    return bind(worker, gh, pull);
  } catch (error) {
    return skip(messageOf(error), !(error instanceof GhRefusal && error.isFinal));
  }
}

const NONE: StoryPullRequest = { refresh: async () => {}, markReady: async () => undefined };

async function findOrCreate(
  worker: Worker,
  worktree: Worktree,
  gh: Gh,
  known: readonly PullRequest[],
  isNew: boolean,
): Promise<PullRequest> {
  const { paths, storyId, emit } = worker;
  const open = known.find((it) => it.state === 'OPEN');
  if (open) emit('pull-request:found', { number: open.number, url: open.url, draft: open.isDraft });
  const pull = open ?? (await create(worker, worktree, gh, known[0], isNew));
  if (await saveStoryFields(paths, storyId, { pr: pull.url })) {
    const message = `saga: pull request of ${storyId}`;
    await commitTracked(worktree.git, storyFilePath(storyId), message);
  }
  return pull;
}

async function create(
  { paths, storyId, config, emit }: Worker,
  { branch, base }: Worktree,
  gh: Gh,
  earlier: PullRequest | undefined,
  isNew: boolean,
): Promise<PullRequest> {
  const { story, tasks } = loadStory(paths, storyId);
  const isComplete = tasks.every((task) => task.status === 'completed');
  // Finished and decided upon by a person: the same work is not proposed to them again.
  if (earlier && isComplete && !isNew) {
    throw new GhRefusal(describeEnded(earlier), { isFinal: true });
  }
  if (base.branch === undefined) {
    throw new GhRefusal('no branch to merge into is known; set worktree.baseBranch');
  }
  const url = await gh.createDraft({
    title: `Story: ${storyId}`,
    body: buildPullRequestBody(story, tasks),
    head: branch,
    base: base.branch,
  });
  const number = Number(/\/pull\/(\d+)/.exec(url)?.[1]);
  const pull: PullRequest = { number, url, state: 'OPEN', isDraft: true };
  emit('pull-request:created', {
    number,
    url,
    ...(earlier ? { earlier: { number: earlier.number, state: earlier.state } } : {}),
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

function bind(
  { paths, storyId, config, emit }: Worker,
  gh: Gh,
  pull: PullRequest,
): StoryPullRequest {
  let waiting: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();
  const write = (evidence?: Evidence) =>
    attempt(emit, pull, 'text', async () => {
      const { story, tasks, home } = loadStory(paths, storyId);
      const isComplete = tasks.every((task) => task.status === 'completed');
      const found = evidence ?? (isComplete ? loadEvidence(paths, home) : undefined);
      const before = await gh.readBody(pull);
      const after = replacePullRequestBody(before, buildPullRequestBody(story, tasks, found));
      if (after !== before) await gh.writeBody(pull, after);
    });
  const refresh = (evidence?: Evidence) => {
    // One that has not begun yet will see what is new as well.
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

/** What is only told to GitHub, and kept here as well, never stops the work. */
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

/** The last step of a night's work is worth asking again when GitHub has a bad moment. */
async function insist(action: () => Promise<void>): Promise<void> {
  for (const wait of WAITS_MS) {
    try {
      return await action();
    } catch (error) {
      if (!/(?:HTTP|status code:) 5\d\d|cannot be reached/.test(messageOf(error))) throw error;
      await sleep(wait);
    }
  }
  return action();
}
