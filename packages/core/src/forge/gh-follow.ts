import { CHECKS, type Rollup } from './gh-landing.ts';
import { isRefusal } from './gh-refusal.ts';
import type { GitHubApi, PullRequestPlace } from './graphql.ts';
import { toCheck } from './pull-request-status.ts';
import type { Remark, Reviewed } from './reviewed.ts';

const QUERY = `query SagaFollow($owner: String!, $name: String!, $number: Int!) {
  viewer { login }
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      state number headRefOid baseRefName mergeable
      baseRef { target { oid ... on Commit { ${CHECKS} } } }
      commits(last: 1) { nodes { commit { ${CHECKS} } } }
      reviews(last: 50) { nodes { id state body author { login } } }
      reviewThreads(last: 100) { nodes {
        id isResolved path line
        comments(last: 30) { nodes { id body author { login } } }
      } }
    }
  }
}`;

interface Written {
  id: string;
  body: string;
  author: { login: string } | null;
}

interface Found {
  viewer: { login: string };
  repository: {
    pullRequest: {
      state: Reviewed['state'];
      number: number;
      headRefOid: string;
      baseRefName: string;
      mergeable: string;
      baseRef: { target: { oid: string; statusCheckRollup?: Rollup | null } } | null;
      commits: { nodes: { commit: { statusCheckRollup: Rollup | null } }[] };
      reviews: { nodes: (Written & { state: string })[] };
      reviewThreads: {
        nodes: {
          id: string;
          isResolved: boolean;
          path: string;
          line: number | null;
          comments: { nodes: Written[] };
        }[];
      };
    };
  };
}

const toChecks = (rollup: Rollup | null | undefined) => (rollup?.contexts.nodes ?? []).map(toCheck);

const toRemark = ({ id, body, author }: Written): Remark => ({
  id,
  body,
  author: author?.login ?? '',
});

/** Asks what a pull request needs. One request. */
export async function loadReviewed(
  api: GitHubApi,
  { owner, name, number }: PullRequestPlace,
): Promise<Reviewed> {
  const { viewer, repository } = await api.ask<Found>(QUERY, { owner, name, number });
  const pull = repository.pullRequest;
  const target = pull.baseRef?.target;
  return {
    viewer: viewer.login,
    state: pull.state,
    number: pull.number,
    head: pull.headRefOid,
    base: {
      branch: pull.baseRefName,
      commit: target?.oid ?? '',
      checks: toChecks(target?.statusCheckRollup),
    },
    hasConflict: pull.mergeable === 'CONFLICTING',
    checks: toChecks(pull.commits.nodes[0]?.commit.statusCheckRollup),
    reviews: pull.reviews.nodes.map((it) => ({ ...toRemark(it), state: it.state })),
    threads: pull.reviewThreads.nodes.map(({ comments, ...it }) => ({
      ...it,
      comments: comments.nodes.map(toRemark),
    })),
  };
}

/** Whether a person may push to the repository. */
export async function mayWrite(api: GitHubApi, login: string): Promise<boolean> {
  if (login === '') return false;
  try {
    const text = await api.read(`collaborators/${encodeURIComponent(login)}/permission`);
    const { permission } = JSON.parse(text) as { permission?: string };
    return permission === 'admin' || permission === 'write';
  } catch (error) {
    // GitHub knows no such collaborator, such as a bot. Other failures are tried again later.
    if (isRefusal(error, 'denied')) return false;
    throw error;
  }
}

/** Returns the last part of the log of a job. */
export const readJobLog = (api: GitHubApi, jobId: number): Promise<string> =>
  api.read(`actions/jobs/${jobId}/logs`);

const ANSWER = `mutation SagaAnswer($input: AddPullRequestReviewThreadReplyInput!) {
  addPullRequestReviewThreadReply(input: $input) { clientMutationId }
}`;
const RESOLVE = `mutation SagaResolve($input: ResolveReviewThreadInput!) {
  resolveReviewThread(input: $input) { clientMutationId }
}`;

export async function answerThread(api: GitHubApi, thread: string, body: string): Promise<void> {
  await api.ask(ANSWER, { input: { pullRequestReviewThreadId: thread, body } });
}

export async function resolveThread(api: GitHubApi, thread: string): Promise<void> {
  await api.ask(RESOLVE, { input: { threadId: thread } });
}
