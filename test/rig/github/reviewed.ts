import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PullRequest } from './github.ts';

/** A check of a commit, as a CI would report it. */
export interface DoubleCheck {
  name: string;
  state: 'passed' | 'failed' | 'pending';
  /** The id of a job of GitHub Actions, whose log can be read. */
  jobId?: number;
  log?: string;
}

export interface DoubleComment {
  id: string;
  author: string;
  body: string;
}

export interface DoubleThread {
  id: string;
  path: string;
  line: number;
  isResolved: boolean;
  comments: DoubleComment[];
}

export interface DoubleReview extends DoubleComment {
  state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED';
}

/** The rules of the base, and who may do what. */
export interface Rules {
  /** Checks that must pass before a merge. */
  required: string[];
  needsReview: boolean;
  /** The branch must have all of its base. */
  isStrict: boolean;
  hasQueue: boolean;
  allowsAuto: boolean;
  methods: string[];
  /** How often GitHub may still be asked. */
  budget: { limit: number; remaining: number; resetAt: string };
  /** The permission of each person; those who are missing have none. */
  permissions: Record<string, 'admin' | 'write' | 'read'>;
}

export const USUAL_RULES: Rules = {
  required: [],
  needsReview: false,
  isStrict: false,
  hasQueue: false,
  allowsAuto: false,
  methods: ['MERGE', 'SQUASH', 'REBASE'],
  budget: { limit: 5000, remaining: 4990, resetAt: '2026-01-01T00:00:00Z' },
  permissions: { ada: 'admin' },
};

/** Who gh is logged in as. */
export const VIEWER = 'saga-bot';

/** The state of the double beside its pull requests. */
export interface ReviewState {
  origin: string;
  pulls: PullRequest[];
  rules: Rules;
  /** Returns the checks of a commit. */
  checksOf(commit: string): DoubleCheck[];
}

type Variables = Record<string, unknown>;
type Answer = (variables: Variables, state: ReviewState) => object;

/** The operations with which SAGA looks at a pull request, merges it and answers in it. */
export const REVIEW_OPERATIONS: Record<string, Answer> = {
  SagaPullRequest(variables, state) {
    const pull = findPull(variables, state);
    if (!pull) return failWith('Could not resolve to a PullRequest.');
    const { rules } = state;
    return {
      data: {
        repository: {
          mergeCommitAllowed: rules.methods.includes('MERGE'),
          squashMergeAllowed: rules.methods.includes('SQUASH'),
          rebaseMergeAllowed: rules.methods.includes('REBASE'),
          autoMergeAllowed: rules.allowsAuto,
          pullRequest: describeStatus(pull, state),
        },
      },
    };
  },

  SagaActivity(_, state) {
    const nodes = state.pulls
      .filter((it) => it.state === 'OPEN')
      .map((pull) => {
        const { headRefOid, mergeable } = describeStatus(pull, state);
        // This text need only change whenever somebody writes something.
        const updatedAt = JSON.stringify([pull.reviews, pull.threads]);
        const words = state.checksOf(headRefOid).map((it) => it.state);
        const all = words.includes('pending') ? 'PENDING' : 'SUCCESS';
        const checks = { state: words.includes('failed') ? 'FAILURE' : all };
        const statusCheckRollup = words.length > 0 ? checks : null;
        const commits = { nodes: [{ commit: { statusCheckRollup } }] };
        return { number: pull.number, updatedAt, headRefOid, mergeable, commits };
      });
    return { data: { rateLimit: state.rules.budget, repository: { pullRequests: { nodes } } } };
  },

  SagaFollow(variables, state) {
    const pull = findPull(variables, state);
    if (!pull) return failWith('Could not resolve to a PullRequest.');
    const author = (login: string) => ({ login });
    const base = tipOf(state.origin, pull.base);
    return {
      data: {
        viewer: { login: VIEWER },
        repository: {
          pullRequest: {
            ...describeStatus(pull, state),
            baseRef: { target: { ...describeChecks(base, state), oid: base } },
            reviews: {
              nodes: (pull.reviews ?? []).map((it) => ({
                ...it,
                author: author(it.author),
                commit: { oid: '' },
              })),
            },
            reviewThreads: {
              nodes: (pull.threads ?? []).map(({ comments, ...it }) => ({
                ...it,
                comments: {
                  nodes: comments.map((one) => ({ ...one, author: author(one.author) })),
                },
              })),
            },
          },
        },
      },
    };
  },

  SagaMerge({ input }, state) {
    const { pullRequestId, expectedHeadOid, mergeMethod } = input as Record<string, string>;
    const pull = byId(pullRequestId, state);
    if (!pull) return failWith(`No pull request ${pullRequestId}.`);
    const { mergeStateStatus, headRefOid } = describeStatus(pull, state);
    if (headRefOid !== expectedHeadOid) return failWith('Head branch was modified.');
    if (!['CLEAN', 'UNSTABLE'].includes(mergeStateStatus)) {
      return failWith(`Pull request is not mergeable: ${mergeStateStatus}`);
    }
    merge(pull, state.origin, mergeMethod ?? 'MERGE');
    return { data: { mergePullRequest: { clientMutationId: null } } };
  },

  SagaEnqueue({ input }, state) {
    const pull = byId((input as Record<string, string>).pullRequestId, state);
    if (!pull) return failWith('No such pull request.');
    pull.isQueued = true;
    return { data: { enqueuePullRequest: { clientMutationId: null } } };
  },

  SagaAutoMerge({ input }, state) {
    const pull = byId((input as Record<string, string>).pullRequestId, state);
    if (!pull || !state.rules.allowsAuto) return failWith('Auto merge is not allowed.');
    pull.hasAutoMerge = true;
    return { data: { enablePullRequestAutoMerge: { clientMutationId: null } } };
  },

  SagaAnswer({ input }, state) {
    const { pullRequestReviewThreadId, body } = input as Record<string, string>;
    const thread = findThread(pullRequestReviewThreadId, state);
    if (!thread) return failWith('No such thread.');
    thread.comments.push({
      id: `${thread.id}-${thread.comments.length}`,
      author: VIEWER,
      body: body ?? '',
    });
    return { data: { addPullRequestReviewThreadReply: { clientMutationId: null } } };
  },

  SagaResolve({ input }, state) {
    const thread = findThread((input as Record<string, string>).threadId, state);
    if (!thread) return failWith('No such thread.');
    thread.isResolved = true;
    return { data: { resolveReviewThread: { clientMutationId: null } } };
  },
};

/** Answers the addresses for logs of jobs and for the permissions of a person. Returns undefined for any other. */
export function answerReviewRest(
  path: string,
  state: ReviewState,
): { status: number; body: object | string } | undefined {
  const [, job] = /\/actions\/jobs\/(\d+)\/logs$/.exec(path) ?? [];
  if (job !== undefined) {
    const heads = state.pulls.flatMap(({ head, base }) => [head, base]);
    const tips = heads.map((branch) => tipOf(state.origin, branch));
    const checks = tips.flatMap((tip) => state.checksOf(tip));
    const log = checks.find((it) => it.jobId === Number(job))?.log;
    return log === undefined
      ? { status: 404, body: { message: 'Not Found' } }
      : { status: 200, body: log };
  }
  const [, login] = /\/collaborators\/([^/]+)\/permission$/.exec(path) ?? [];
  if (login === undefined) return undefined;
  const permission = state.rules.permissions[decodeURIComponent(login)] ?? 'none';
  return { status: 200, body: { permission } };
}

function describeStatus(pull: PullRequest, state: ReviewState) {
  const { rules, origin } = state;
  const head = pull.mergedHead ?? tipOf(origin, pull.head);
  const base = tipOf(origin, pull.base);
  const isOpen = pull.state === 'OPEN';
  const hasConflict = isOpen && tryMerge(origin, base, head) === undefined;
  const reviewDecision = decideReview(pull, rules);
  const checks = state.checksOf(head);
  const isMissing = (name: string) => checks.find((it) => it.name === name)?.state !== 'passed';
  const isBehind = rules.isStrict && git(origin, 'merge-base', base, head) !== base;
  const word = () => {
    if (pull.isDraft) return 'DRAFT';
    if (hasConflict) return 'DIRTY';
    if (isBehind) return 'BEHIND';
    if (rules.required.some(isMissing) || (reviewDecision ?? 'APPROVED') !== 'APPROVED') {
      return 'BLOCKED';
    }
    return checks.some((it) => it.state === 'failed') ? 'UNSTABLE' : 'CLEAN';
  };
  return {
    id: `PR_${pull.number}`,
    number: pull.number,
    url: `https://github.com/acme/widgets/pull/${pull.number}`,
    state: pull.state,
    isDraft: pull.isDraft,
    headRefOid: head,
    baseRefName: pull.base,
    mergeable: hasConflict ? 'CONFLICTING' : 'MERGEABLE',
    mergeStateStatus: word(),
    reviewDecision,
    autoMergeRequest: pull.hasAutoMerge ? { enabledAt: '2026-01-01T00:00:00Z' } : null,
    isMergeQueueEnabled: rules.hasQueue,
    isInMergeQueue: pull.isQueued ?? false,
    commits: { nodes: [{ commit: describeChecks(head, state) }] },
  };
}

function describeChecks(commit: string, { checksOf }: ReviewState) {
  const nodes = checksOf(commit).map(({ name, state, jobId }) => ({
    __typename: 'CheckRun',
    name,
    status: state === 'pending' ? 'IN_PROGRESS' : 'COMPLETED',
    conclusion: state === 'pending' ? null : state === 'passed' ? 'SUCCESS' : 'FAILURE',
    detailsUrl:
      jobId === undefined
        ? 'https://ci.example.com/1'
        : `https://github.com/acme/widgets/actions/runs/1/job/${jobId}`,
    databaseId: jobId ?? 1,
  }));
  return { oid: commit, statusCheckRollup: nodes.length > 0 ? { contexts: { nodes } } : null };
}

function decideReview({ reviews = [] }: PullRequest, rules: Rules): string | null {
  const binding = reviews.filter(
    ({ author, state }) =>
      state !== 'COMMENTED' && ['admin', 'write'].includes(rules.permissions[author] ?? ''),
  );
  const last = new Map(binding.map(({ author, state }) => [author, state]));
  if ([...last.values()].includes('CHANGES_REQUESTED')) return 'CHANGES_REQUESTED';
  if ([...last.values()].includes('APPROVED')) return 'APPROVED';
  return rules.needsReview ? 'REVIEW_REQUIRED' : null;
}

/** Merges in the bare repository, as GitHub does. */
export function merge(pull: PullRequest, origin: string, method = 'MERGE'): void {
  const [base, head] = [tipOf(origin, pull.base), tipOf(origin, pull.head)];
  const tree = tryMerge(origin, base, head);
  if (tree === undefined) throw new Error('the branches conflict');
  const parents = method === 'MERGE' ? ['-p', base, '-p', head] : ['-p', base];
  const who = ['-c', 'user.name=GitHub', '-c', 'user.email=noreply@github.com'];
  const message = `${pull.title} (#${pull.number})`;
  const commit = git(origin, ...who, 'commit-tree', ...parents, '-m', message, tree);
  git(origin, 'update-ref', `refs/heads/${pull.base}`, commit, base);
  pull.state = 'MERGED';
  pull.mergedHead = head;
  pull.isQueued = false;
}

/** The merge of two commits is always the same. */
const MERGED = new Map<string, string | undefined>();

function tryMerge(origin: string, base: string, head: string): string | undefined {
  const key = `${origin} ${base} ${head}`;
  if (!MERGED.has(key)) MERGED.set(key, mergeTrees(origin, base, head));
  return MERGED.get(key);
}

function mergeTrees(origin: string, base: string, head: string): string | undefined {
  try {
    return git(origin, 'merge-tree', '--write-tree', base, head).split('\n')[0];
  } catch {
    // A conflict ends git with code 1.
    return undefined;
  }
}

/** Returns the newest commit of a branch, or an empty text if the branch does not exist. */
export function tipOf(origin: string, branch: string): string {
  // Reading the file is faster than git, and the double does it often.
  const file = join(origin, 'refs/heads', branch);
  if (branch !== '' && existsSync(file)) return readFileSync(file, 'utf8').trim();
  try {
    return git(origin, 'rev-parse', '-q', '--verify', `refs/heads/${branch}`);
  } catch {
    return '';
  }
}

const git = (origin: string, ...args: string[]) =>
  execFileSync('git', ['-C', origin, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

const findPull = ({ number }: Variables, { pulls }: ReviewState) =>
  pulls.find((it) => it.number === number);

const byId = (id: string | undefined, { pulls }: ReviewState) =>
  pulls.find((it) => `PR_${it.number}` === id);

const findThread = (id: string | undefined, { pulls }: ReviewState) =>
  pulls.flatMap((it) => it.threads ?? []).find((it) => it.id === id);

const failWith = (message: string) => ({ data: null, errors: [{ message }] });
