import { isRefusal } from './gh-refusal.ts';
import type { GitHubApi, PullRequestPlace } from './graphql.ts';
import {
  type MergeMethod,
  type PullRequestStatus,
  type RollupContext,
  toCheck,
} from './pull-request-status.ts';

/** The checks of a commit, as a part of a query. */
export const CHECKS = `statusCheckRollup { contexts(first: 100) { nodes {
  __typename
  ... on CheckRun { name status conclusion detailsUrl databaseId }
  ... on StatusContext { context state targetUrl }
} } }`;

/** GitHub Enterprise Server before 3.12 knows no merge queue, and refuses a query that names one. */
const QUEUE = 'isMergeQueueEnabled isInMergeQueue';

const buildQuery = (
  more: string,
) => `query SagaPullRequest($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    mergeCommitAllowed squashMergeAllowed rebaseMergeAllowed autoMergeAllowed
    pullRequest(number: $number) {
      id number url state isDraft headRefOid baseRefName mergeable mergeStateStatus reviewDecision
      autoMergeRequest { enabledAt } ${more}
      commits(last: 1) { nodes { commit { ${CHECKS} } } }
    }
  }
}`;

interface Found {
  repository: {
    mergeCommitAllowed: boolean;
    squashMergeAllowed: boolean;
    rebaseMergeAllowed: boolean;
    autoMergeAllowed?: boolean;
    pullRequest: {
      id: string;
      number: number;
      url: string;
      state: PullRequestStatus['state'];
      isDraft: boolean;
      headRefOid: string;
      baseRefName: string;
      mergeable: PullRequestStatus['mergeable'];
      mergeStateStatus: string;
      reviewDecision: string | null;
      autoMergeRequest: object | null;
      isMergeQueueEnabled?: boolean;
      isInMergeQueue?: boolean;
      commits: { nodes: { commit: { statusCheckRollup: Rollup | null } }[] };
    };
  };
}

export interface Rollup {
  contexts: { nodes: RollupContext[] };
}

/** Asks how a pull request stands. One request. */
export async function loadStatus(
  api: GitHubApi,
  { owner, name, number }: PullRequestPlace,
): Promise<PullRequestStatus> {
  const variables = { owner, name, number };
  const { repository } = await api
    .ask<Found>(buildQuery(QUEUE), variables)
    .catch((error: unknown) => {
      if (!isRefusal(error, 'unknown-field')) throw error;
      return api.ask<Found>(buildQuery(''), variables);
    });
  const pull = repository.pullRequest;
  return {
    id: pull.id,
    number: pull.number,
    url: pull.url,
    state: pull.state,
    isDraft: pull.isDraft,
    head: pull.headRefOid,
    base: pull.baseRefName,
    mergeable: pull.mergeable,
    mergeState: pull.mergeStateStatus,
    reviewDecision: pull.reviewDecision,
    hasQueue: pull.isMergeQueueEnabled ?? false,
    isInQueue: pull.isInMergeQueue ?? false,
    hasAutoMerge: pull.autoMergeRequest !== null,
    allowed: {
      merge: repository.mergeCommitAllowed,
      squash: repository.squashMergeAllowed,
      rebase: repository.rebaseMergeAllowed,
      auto: repository.autoMergeAllowed ?? false,
    },
    checks: (pull.commits.nodes[0]?.commit.statusCheckRollup?.contexts.nodes ?? []).map(toCheck),
  };
}

const MUTATIONS = {
  merge: `mutation SagaMerge($input: MergePullRequestInput!) {
    mergePullRequest(input: $input) { clientMutationId }
  }`,
  enqueue: `mutation SagaEnqueue($input: EnqueuePullRequestInput!) {
    enqueuePullRequest(input: $input) { clientMutationId }
  }`,
  auto: `mutation SagaAutoMerge($input: EnablePullRequestAutoMergeInput!) {
    enablePullRequestAutoMerge(input: $input) { clientMutationId }
  }`,
} as const;

/**
 * Merges, puts into the merge queue, or lets GitHub merge by itself later. GitHub refuses if the branch has moved since
 * the caller saw it.
 */
export async function askToMerge(
  api: GitHubApi,
  how: keyof typeof MUTATIONS,
  { id, head }: Pick<PullRequestStatus, 'id' | 'head'>,
  method: MergeMethod,
): Promise<void> {
  const by = how === 'enqueue' ? {} : { mergeMethod: method.toUpperCase() };
  await api.ask(MUTATIONS[how], { input: { pullRequestId: id, expectedHeadOid: head, ...by } });
}
