import type { MergeMethod, PullRequestStatus } from '../forge/pull-request-status.ts';

/** What to do with a pull request that is to be merged. */
export type MergeStep =
  | { kind: 'merged' }
  | { kind: 'merge' | 'enqueue' }
  /** Something must end first; `for` says what, in words. */
  | { kind: 'wait'; for: string }
  | { kind: 'refuse'; why: string; hint: string };

export interface MergeWish {
  /** The story or the epic. */
  id: string;
  isStory: boolean;
  /** The commit that was checked. */
  head: string;
  method: MergeMethod;
  /** How long GitHub has refused the merge without a reason that SAGA can see, in milliseconds. */
  blockedMs: number;
}

/**
 * How long SAGA waits while GitHub blocks the merge without a reason: a required check appears some time after the
 * push.
 */
const PATIENCE_MS = 120_000;

/** Decides the next step of a merge by the repository's rules, as GitHub reports them. */
export function decideMerge(status: PullRequestStatus, wish: MergeWish): MergeStep {
  const { number, state, checks, base, mergeState } = status;
  const { id } = wish;
  const open = `gh pr view ${number} --web`;
  const update = wish.isStory
    ? `Bring ${base} in and check again: saga update ${id}, then saga run ${id}`
    : `Bring ${base} into the branch and check again: saga run ${id}`;
  if (state === 'MERGED') return { kind: 'merged' };
  if (state === 'CLOSED') {
    return refuse(`#${number} was closed without a merge`, `Reopen it: gh pr reopen ${number}`);
  }
  if (status.head !== wish.head) {
    return refuse(
      `#${number} is at ${short(status.head)}, but ${short(wish.head)} was checked`,
      wish.isStory
        ? `Take in what somebody pushed, and check again: git pull in its worktree, then saga gate ${id}`
        : `Take in what somebody pushed, and check again: saga run ${id}`,
    );
  }
  if (status.isInQueue) return { kind: 'wait', for: 'the merge queue' };
  const red = checks.filter((it) => it.state === 'failed').map((it) => it.name);
  if (red.length > 0) {
    const mend = wish.isStory
      ? `See why: ${open}. To have a run mend it: saga run ${id} --follow`
      : `See why: ${open}`;
    return refuse(`checks of #${number} failed: ${red.join(', ')}`, mend);
  }
  if (status.mergeable === 'CONFLICTING' || mergeState === 'DIRTY') {
    return refuse(`#${number} conflicts with ${base}`, update);
  }
  if (status.reviewDecision === 'CHANGES_REQUESTED') {
    const work = wish.isStory ? ` To have a run work on it: saga run ${id} --follow` : '';
    return refuse(`a reviewer of #${number} requests changes`, `Read the review: ${open}.${work}`);
  }
  const pending = checks.filter((it) => it.state === 'pending').map((it) => it.name);
  if (pending.length > 0) return { kind: 'wait', for: `checks: ${pending.join(', ')}` };
  if (status.mergeable === 'UNKNOWN' || mergeState === 'UNKNOWN') {
    return { kind: 'wait', for: 'GitHub, which is still comparing the branches' };
  }
  if (status.reviewDecision === 'REVIEW_REQUIRED') {
    return refuse(
      `the rules of ${base} ask for an approving review of #${number}`,
      `Ask somebody for a review: ${open}`,
    );
  }
  if (mergeState === 'BEHIND') {
    return refuse(`the rules of ${base} ask for a branch that has all of ${base}`, update);
  }
  if (status.hasQueue) return { kind: 'enqueue' };
  if (mergeState === 'BLOCKED' || mergeState === 'DRAFT') {
    if (wish.blockedMs < PATIENCE_MS) return { kind: 'wait', for: `the rules of ${base}` };
    return refuse(
      `the rules of ${base} do not allow the merge of #${number} now`,
      `See why: ${open}`,
    );
  }
  if (!status.allowed[wish.method]) {
    const allowed = (['merge', 'squash', 'rebase'] as const).filter((it) => status.allowed[it]);
    return refuse(
      `the repository does not allow ${wish.method} as a way to merge`,
      `Choose another way: saga config pullRequest.mergeMethod ${allowed[0] ?? 'merge'}`,
    );
  }
  return { kind: 'merge' };
}

const refuse = (why: string, hint: string): MergeStep => ({ kind: 'refuse', why, hint });

const short = (commit: string) => commit.slice(0, 12);
