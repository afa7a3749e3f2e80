import type { GitHubApi, PullRequestPlace } from './graphql.ts';
import type { Activity } from './reviewed.ts';

/** The hundred open pull requests that changed last. */
const QUERY = `query SagaActivity($owner: String!, $name: String!) {
  rateLimit { limit remaining resetAt }
  repository(owner: $owner, name: $name) {
    pullRequests(states: OPEN, first: 100, orderBy: { field: UPDATED_AT, direction: DESC }) { nodes {
      number updatedAt headRefOid mergeable
      commits(last: 1) { nodes { commit { statusCheckRollup { state } } } }
    } }
  }
}`;

interface Found {
  /** Null where GitHub sets no limit. */
  rateLimit: { limit: number; remaining: number; resetAt: string } | null;
  repository: {
    pullRequests: {
      nodes: {
        number: number;
        updatedAt: string;
        headRefOid: string;
        mergeable: string;
        commits: { nodes: { commit: { statusCheckRollup: { state: string } | null } }[] };
      }[];
    };
  };
}

/** Asks what goes on in all open pull requests of a repository. One request, however many they are. */
export async function loadActivity(
  api: GitHubApi,
  { owner, name }: PullRequestPlace,
): Promise<Activity> {
  const { rateLimit, repository } = await api.ask<Found>(QUERY, { owner, name });
  const digests = repository.pullRequests.nodes.map((it) => {
    const checks = it.commits.nodes[0]?.commit.statusCheckRollup?.state ?? '';
    // GitHub forgets for a while whether the branches conflict, whenever the base moves.
    const conflict = it.mergeable === 'CONFLICTING' ? 'conflict' : '';
    return [String(it.number), [it.updatedAt, it.headRefOid, checks, conflict].join(' ')];
  });
  return {
    digests: Object.fromEntries(digests),
    budget: rateLimit || undefined,
  };
}
