import type { NetworkLimits } from '../git/git.ts';
import type { Environment } from '../processes/run.ts';
import { type Gh, openGh } from './gh.ts';
import { loadActivity } from './gh-activity.ts';
import { answerThread, loadReviewed, mayWrite, readJobLog, resolveThread } from './gh-follow.ts';
import { openIssues } from './gh-issues.ts';
import { askToMerge, loadStatus } from './gh-landing.ts';
import { openApi, parsePullRequestUrl } from './graphql.ts';
import type { Issue } from './issue.ts';
import type { MergeMethod, PullRequestStatus } from './pull-request-status.ts';
import type { Activity, Reviewed } from './reviewed.ts';

/**
 * What SAGA needs of the place where a repository is published. Each method may throw a `GhRefusal` if the place does
 * not answer or refuses.
 */
export interface Forge {
  /** Finds, opens and changes pull requests. Undefined if the place has branches only. */
  readonly pulls: PullRequests | undefined;
  /** Why there are no pull requests, in words. */
  readonly missing?: string;
  /** An issue of the repository, by its number. */
  readIssue(number: number): Promise<Issue>;
  /** Open issues that have all these labels, at most so many, the oldest first. */
  listIssues(labels: readonly string[], most: number): Promise<Issue[]>;
  /** A pull request by its address. Returns undefined for an address that the place cannot use. */
  openPull(url: string): ForgePull | undefined;
}

/** What SAGA needs to propose a branch. */
export type PullRequests = Omit<Gh, 'version' | 'hasLogin'>;

/** What SAGA needs of a pull request, to merge it and to follow it. */
export interface ForgePull {
  readonly number: number;
  /** Names the repository, such as github.com/acme/widgets. */
  readonly repository: string;
  /** Loads how the pull request stands, and what its rules say. */
  loadStatus(): Promise<PullRequestStatus>;
  /**
   * Merges now, puts the pull request into the merge queue, or lets the place merge later. Merges only the commit that
   * the status named.
   */
  merge(
    how: 'merge' | 'enqueue' | 'auto',
    status: Pick<PullRequestStatus, 'id' | 'head'>,
    method: MergeMethod,
  ): Promise<void>;
  /** Loads what goes on in all open pull requests of the repository. */
  loadActivity(): Promise<Activity>;
  /** Loads everything that may ask for more work. */
  loadReviewed(): Promise<Reviewed>;
  mayWrite(login: string): Promise<boolean>;
  /** Returns the end of the log of a job. */
  readLog(jobId: number): Promise<string>;
  answer(thread: string, body: string): Promise<void>;
  resolve(thread: string): Promise<void>;
}

/** An answer has at most this many bytes; of a log only the end counts. */
const MOST_ANSWER = 8 * 1024 * 1024;
const MOST_LOG = 256 * 1024;

/** Opens GitHub, through gh, for the repository in a folder. */
export function openForge(folder: string, env: Environment, limits?: NetworkLimits): Forge {
  const issues = openIssues(folder, env, limits);
  return {
    pulls: openGh(folder, env, { limits }),
    readIssue: issues.read,
    listIssues: issues.list,
    openPull: (url) => openPull(folder, env, url, limits),
  };
}

function openPull(
  folder: string,
  env: Environment,
  url: string,
  limits?: NetworkLimits,
): ForgePull | undefined {
  const place = parsePullRequestUrl(url);
  if (!place) return undefined;
  const api = openApi(folder, env, place, { limits, maxOutput: MOST_ANSWER });
  const logs = openApi(folder, env, place, { limits, maxOutput: MOST_LOG });
  return {
    number: place.number,
    repository: `${place.host}/${place.owner}/${place.name}`,
    loadStatus: () => loadStatus(api, place),
    merge: (how, status, method) => askToMerge(api, how, status, method),
    loadActivity: () => loadActivity(api, place),
    loadReviewed: () => loadReviewed(api, place),
    mayWrite: (login) => mayWrite(api, login),
    readLog: (jobId) => readJobLog(logs, jobId),
    answer: (thread, body) => answerThread(api, thread, body),
    resolve: (thread) => resolveThread(api, thread),
  };
}
