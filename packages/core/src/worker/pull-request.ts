import type { Evidence } from '@saga-ai/types/evidence';
import { messageOf } from '../errors.ts';
import { type Gh, openGh, type PullRequest } from '../programs/gh.ts';
import { commitPath } from '../programs/git.ts';
import { buildPullRequestBody, replacePullRequestBody } from '../rules/pull-request-body.ts';
import { loadStory, saveStoryFields } from '../store/stories.ts';
import type { Worktree } from './ensure-worktree.ts';
import type { Ready } from './preflight.ts';
import { publish } from './publish.ts';
import type { Worker } from './worker.ts';

/** The story's pull request; without one every verb says nothing and does nothing. */
export interface StoryPullRequest {
  url?: string;
  /** Brings the checklist up to date; asked often, it does so one at a time. */
  refresh(evidence?: Evidence): Promise<void>;
  markReady(evidence: Evidence): Promise<void>;
}

/** Found or opened as a draft. Without GitHub the work goes on, and that is said. */
export async function ensureDraftPullRequest(
  worker: Worker,
  worktree: Worktree,
  ready: Ready,
): Promise<StoryPullRequest> {
  const { config, emit, env } = worker;
  emit('pull-request:start', {});
  const skip = (reason: string) => {
    emit('pull-request:skipped', { reason });
    return NONE;
  };
  const published = await publish(worktree, emit);
  if (config.pullRequest.mode === 'off') return skip('pull requests are switched off');
  if (ready.gh === undefined) return skip('gh is not installed');
  if (!published.pushed) return skip(published.reason);
  const gh = openGh(worktree.folder, env);
  try {
    const pull = await findOrCreate(worker, worktree, gh);
    return bind(worker, gh, pull);
  } catch (error) {
    return skip(messageOf(error));
  }
}

const NONE: StoryPullRequest = { refresh: async () => {}, markReady: async () => {} };

async function findOrCreate(worker: Worker, worktree: Worktree, gh: Gh): Promise<PullRequest> {
  const { paths, storyId, config, emit } = worker;
  const { branch, base, git } = worktree;
  const known = await gh.list(branch);
  let pull = known.find((it) => it.state === 'OPEN');
  if (pull) {
    emit('pull-request:found', { number: pull.number, url: pull.url, draft: pull.isDraft });
  } else {
    const { story, tasks } = loadStory(paths, storyId);
    const url = await gh.createDraft({
      title: `Story: ${storyId}`,
      body: buildPullRequestBody(story, tasks),
      head: branch,
      base: base.branch ?? 'HEAD',
    });
    const number = Number(/\/pull\/(\d+)/.exec(url)?.[1]);
    pull = { number, url, state: 'OPEN', isDraft: true };
    const [earlier] = known;
    emit('pull-request:created', {
      number,
      url,
      ...(earlier ? { earlier: { number: earlier.number, state: earlier.state } } : {}),
    });
    if (config.pullRequest.labels.length > 0) await gh.addLabels(pull, config.pullRequest.labels);
  }
  if (await saveStoryFields(paths, storyId, { pr: pull.url })) {
    await commitPath(git, `.saga/stories/${storyId}`, `saga: pull request of ${storyId}`);
  }
  return pull;
}

function bind(
  { paths, storyId, config, emit }: Worker,
  gh: Gh,
  pull: PullRequest,
): StoryPullRequest {
  let waiting: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();
  const write = async (evidence?: Evidence) => {
    try {
      const { story, tasks } = loadStory(paths, storyId);
      const ours = buildPullRequestBody(story, tasks, evidence);
      const before = await gh.readBody(pull);
      const after = replacePullRequestBody(before, ours);
      if (after !== before) await gh.writeBody(pull, after);
    } catch (error) {
      emit('pull-request:not-updated', { number: pull.number, reason: messageOf(error) });
    }
  };
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
      await refresh();
      await write(evidence);
      try {
        if (pull.isDraft) await gh.markReady(pull.number);
        emit('pull-request:ready', { number: pull.number, url: pull.url, wasDraft: pull.isDraft });
        const { reviewers } = config.pullRequest;
        if (pull.isDraft && reviewers.length > 0) await gh.requestReviewers(pull, reviewers);
      } catch (error) {
        emit('pull-request:not-ready', { number: pull.number, reason: messageOf(error) });
      }
    },
  };
}
