/** One check of a pull request's last commit, from GitHub Actions or from any other reporter. */
export interface Check {
  name: string;
  state: 'passed' | 'failed' | 'pending' | 'skipped';
  /** Where a person reads about it. */
  url?: string;
  /** Of a job of GitHub Actions: its log can be read. */
  jobId?: number;
}

export type MergeMethod = 'merge' | 'squash' | 'rebase';

/** How a pull request stands, with what decides whether it may be merged. */
export interface PullRequestStatus {
  /** GitHub's own id, for changes. */
  id: string;
  number: number;
  url: string;
  state: 'OPEN' | 'MERGED' | 'CLOSED';
  isDraft: boolean;
  /** The last commit of its branch, as GitHub knows it. */
  head: string;
  base: string;
  mergeable: 'MERGEABLE' | 'CONFLICTING' | 'UNKNOWN';
  /** GitHub's word for whether the rules allow the merge: CLEAN, BLOCKED, BEHIND … */
  mergeState: string;
  /** APPROVED, CHANGES_REQUESTED or REVIEW_REQUIRED; null if nobody must review. */
  reviewDecision: string | null;
  /** The base has a merge queue: GitHub merges in turn. */
  hasQueue: boolean;
  isInQueue: boolean;
  /** GitHub merges by itself as soon as the rules allow it. */
  hasAutoMerge: boolean;
  allowed: Readonly<Record<MergeMethod | 'auto', boolean>>;
  checks: readonly Check[];
}

/** What GitHub's GraphQL says of a check: of GitHub Actions and apps, or of the older commit statuses. */
export interface RollupContext {
  __typename: string;
  name?: string;
  status?: string;
  conclusion?: string | null;
  detailsUrl?: string | null;
  databaseId?: number | null;
  context?: string;
  state?: string;
  targetUrl?: string | null;
}

/** Translates GitHub's words for a check. */
export function toCheck(it: RollupContext): Check {
  if (it.__typename === 'StatusContext') {
    const url = it.targetUrl ?? undefined;
    return {
      name: it.context ?? '',
      state: STATUS_WORDS[it.state ?? ''] ?? 'pending',
      url: url || undefined,
    };
  }
  const isOver = it.status === 'COMPLETED';
  const url = it.detailsUrl ?? undefined;
  // An address of another service would be of no use to the API.
  const isJob = /\/actions\/runs\/\d+\/job\/\d+/.test(url ?? '');
  return {
    name: it.name ?? '',
    state: isOver ? (CONCLUSIONS[it.conclusion ?? ''] ?? 'failed') : 'pending',
    url: url || undefined,
    jobId: isJob && typeof it.databaseId === 'number' ? it.databaseId : undefined,
  };
}

const STATUS_WORDS: Readonly<Record<string, Check['state']>> = {
  SUCCESS: 'passed',
  FAILURE: 'failed',
  ERROR: 'failed',
  PENDING: 'pending',
  EXPECTED: 'pending',
};

const CONCLUSIONS: Readonly<Record<string, Check['state']>> = {
  SUCCESS: 'passed',
  NEUTRAL: 'skipped',
  SKIPPED: 'skipped',
};
