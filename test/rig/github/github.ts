import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { createTempFolder } from '../project/temp-folder.ts';
import { type DoubleIssue, ISSUE_OPERATIONS } from './issues.ts';
import {
  answerReviewRest,
  type DoubleCheck,
  type DoubleReview,
  type DoubleThread,
  REVIEW_OPERATIONS,
  type ReviewState,
  type Rules,
  USUAL_RULES,
} from './reviewed.ts';

export interface PullRequest {
  number: number;
  title: string;
  body: string;
  head: string;
  base: string;
  isDraft: boolean;
  state: 'OPEN' | 'MERGED' | 'CLOSED';
  labels?: string[];
  reviewers?: string[];
  reviews?: DoubleReview[];
  threads?: DoubleThread[];
  isQueued?: boolean;
  hasAutoMerge?: boolean;
  /** The last commit of the branch when it was merged. */
  mergedHead?: string;
}

/** What happens to an operation: it gets lost on its way, GitHub was asked too often, or neither. */
export type Heeded = 'lost' | 'limited' | undefined;

export interface GitHubRequest {
  operation: string;
  variables: Record<string, unknown>;
}

/** GitHub as the real `gh` sees it: its GraphQL operations over a unix socket, state in memory. */
export interface GitHub extends AsyncDisposable {
  /** The environment in which `gh` reaches only this double. */
  environment: Record<string, string>;
  pulls: PullRequest[];
  issues: DoubleIssue[];
  requests: GitHubRequest[];
  /** The operations that the double does not know. Each was answered with an error. */
  unknown: string[];
  /** Requests that are answered once with an error of the server: an operation, or `PATCH body`, `POST labels`. */
  faults: string[];
  rules: Rules;
  /** Returns the checks of a commit; none unless a test sets this function. */
  checksOf(commit: string): DoubleCheck[];
  /** Called with every GraphQL operation: before it is carried out, when it may get lost, and before its answer is sent. */
  heed(operation: string, when: 'before' | 'after'): Heeded | Promise<Heeded>;
}

export interface GitHubOptions {
  /** The bare repository behind it: it refuses a pull request without commits, as GitHub does. */
  origin: string;
  defaultBranch?: string;
}

const OWNER = 'acme';
const NAME = 'widgets';
/** The address for `git remote add`. */
export const GITHUB_URL = `https://github.com/${OWNER}/${NAME}.git`;

export async function startGitHub({
  origin,
  defaultBranch = 'main',
}: GitHubOptions): Promise<GitHub> {
  const folder = createTempFolder();
  const config = join(folder.path, 'gh');
  const socket = join(folder.path, 's.sock');
  mkdirSync(config);
  writeFileSync(join(config, 'config.yml'), `http_unix_socket: ${socket}\n`);
  const pulls: PullRequest[] = [];
  const issues: DoubleIssue[] = [];
  const requests: GitHubRequest[] = [];
  const unknown: string[] = [];
  const faults: string[] = [];
  const rules = structuredClone(USUAL_RULES);
  const double: Double = {
    origin,
    defaultBranch,
    pulls,
    issues,
    rules,
    checksOf: (commit) => github.checksOf(commit),
  };
  const hasFault = (operation: string) => {
    const place = faults.indexOf(operation);
    if (place !== -1) faults.splice(place, 1);
    return place !== -1;
  };

  const server = createServer(async (request, response) => {
    if (request.url !== '/graphql') {
      const [, part = 'body'] = /\d+\/(\w+)$/.exec(request.url ?? '') ?? [];
      if (hasFault(`${request.method} ${part}`)) return void response.writeHead(502).end();
      const review = answerReviewRest(request.url ?? '', double);
      if (review) {
        const isText = typeof review.body === 'string';
        const kind = isText ? 'text/plain' : 'application/json';
        response.writeHead(review.status, { 'content-type': kind });
        return void response.end(isText ? review.body : JSON.stringify(review.body));
      }
      const { status, body } = await answerRest(request, pulls);
      if (status === 404) unknown.push(`${request.method} ${request.url}`);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
      return;
    }
    const body = (await json(request)) as { query: string; variables?: Record<string, unknown> };
    const operation = /(?:query|mutation)\s+(\w+)/.exec(body.query)?.[1] ?? body.query.slice(0, 60);
    const variables = body.variables ?? {};
    requests.push({ operation, variables });
    if (hasFault(operation)) return void response.writeHead(502).end();
    const heeded = await github.heed(operation, 'before');
    if (heeded === 'lost') return void response.destroy();
    if (heeded === 'limited') {
      response.writeHead(403, { 'content-type': 'application/json', 'x-ratelimit-remaining': '0' });
      return void response.end('{"message":"API rate limit exceeded for user ID 1."}');
    }
    const answer =
      OPERATIONS[operation] ?? REVIEW_OPERATIONS[operation] ?? ISSUE_OPERATIONS[operation];
    if (!answer) unknown.push(operation);
    const reply = answer
      ? answer(variables, double)
      : failWith(`The GitHub double does not know the operation ${operation}.`);
    await github.heed(operation, 'after');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));

  const github: GitHub = {
    environment: {
      GH_CONFIG_DIR: config,
      GH_TOKEN: 'ghp_dummy',
      GH_PROMPT_DISABLED: '1',
      GH_NO_UPDATE_NOTIFIER: '1',
    },
    pulls,
    issues,
    requests,
    unknown,
    faults,
    rules,
    checksOf: () => [],
    heed: () => undefined,
    async [Symbol.asyncDispose]() {
      await close(server);
      folder[Symbol.dispose]();
    },
  };
  return github;
}

/** Answers the addresses besides GraphQL: a pull request's text, its labels, its reviewers. */
async function answerRest(
  request: IncomingMessage,
  pulls: PullRequest[],
): Promise<{ status: number; body: object }> {
  const path = new RegExp(`^/repos/${OWNER}/${NAME}/(pulls|issues)/(\\d+)(?:/(\\w+))?$`);
  const [, , number, part] = path.exec(request.url ?? '') ?? [];
  const pull = pulls.find((it) => it.number === Number(number));
  if (!pull) return { status: 404, body: { message: 'Not Found' } };
  if (request.method === 'GET') return { status: 200, body: { number, body: pull.body } };
  const given = (await json(request)) as {
    body?: string;
    labels?: string[];
    reviewers?: string[];
    team_reviewers?: string[];
  };
  if (request.method === 'PATCH' && part === undefined) pull.body = given.body ?? '';
  else if (part === 'labels') pull.labels = given.labels ?? [];
  else if (part === 'requested_reviewers') {
    pull.reviewers = [...(given.reviewers ?? []), ...(given.team_reviewers ?? [])];
  } else return { status: 404, body: { message: 'Not Found' } };
  return { status: 200, body: { number } };
}

interface Double extends ReviewState {
  issues: DoubleIssue[];
  defaultBranch: string;
}

type Answer = (variables: Record<string, unknown>, double: Double) => object;

const OPERATIONS: Record<string, Answer> = {
  PullRequestList({ headBranch, state }, { pulls }) {
    const states = (state as string[] | undefined) ?? ['OPEN'];
    const found = pulls.filter((it) => it.head === headBranch && states.includes(it.state));
    const pageInfo = { hasNextPage: false, endCursor: '' };
    const nodes = found.map(describe);
    return {
      data: { repository: { pullRequests: { totalCount: nodes.length, nodes, pageInfo } } },
    };
  },

  RepositoryInfo(_, { defaultBranch }) {
    return {
      data: {
        repository: {
          id: 'R_1',
          name: NAME,
          owner: { login: OWNER },
          hasIssuesEnabled: true,
          description: '',
          hasWikiEnabled: false,
          viewerPermission: 'ADMIN',
          defaultBranchRef: { name: defaultBranch },
          parent: null,
          mergeCommitAllowed: true,
          rebaseMergeAllowed: true,
          squashMergeAllowed: true,
        },
      },
    };
  },

  PullRequestForBranch({ headRefName, states }, { pulls, defaultBranch }) {
    const wanted = states as string[] | null;
    const nodes = pulls
      .filter((it) => it.head === headRefName && (!wanted || wanted.includes(it.state)))
      .map(describe);
    return {
      data: { repository: { pullRequests: { nodes }, defaultBranchRef: { name: defaultBranch } } },
    };
  },

  PullRequestByNumber({ pr_number }, { pulls }) {
    const pull = pulls.find((it) => it.number === pr_number);
    if (!pull)
      return failWith(`Could not resolve to a PullRequest with the number of ${pr_number}.`);
    return { data: { repository: { pullRequest: describe(pull) } } };
  },

  PullRequestCreate({ input }, { pulls, origin }) {
    const { title, body, draft, headRefName, baseRefName } = input as Record<string, string>;
    const head = headRefName ?? '';
    const base = baseRefName ?? '';
    const refusal = refuse(origin, base, head, pulls);
    if (refusal) return failWith(refusal);
    const pull: PullRequest = {
      number: pulls.length + 1,
      title: title ?? '',
      body: body ?? '',
      head,
      base,
      isDraft: Boolean(draft),
      state: 'OPEN',
    };
    pulls.push(pull);
    const { id, url } = describe(pull);
    return { data: { createPullRequest: { pullRequest: { id, url } } } };
  },

  PullRequestReadyForReview({ input }, { pulls }) {
    const { pullRequestId } = input as { pullRequestId: string };
    const pull = pulls.find((it) => describe(it).id === pullRequestId);
    if (!pull) return failWith(`No pull request ${pullRequestId}.`);
    pull.isDraft = false;
    return { data: { markPullRequestReadyForReview: { pullRequest: { id: pullRequestId } } } };
  },
};

function describe(pull: PullRequest) {
  return {
    id: `PR_${pull.number}`,
    number: pull.number,
    url: `https://github.com/${OWNER}/${NAME}/pull/${pull.number}`,
    title: pull.title,
    body: pull.body,
    state: pull.state,
    isDraft: pull.isDraft,
    baseRefName: pull.base,
    headRefName: pull.head,
    isCrossRepository: false,
    headRepositoryOwner: { id: 'U_1', login: OWNER, name: OWNER },
  };
}

/** GitHub's own words for what it refuses. */
function refuse(
  origin: string,
  base: string,
  head: string,
  pulls: PullRequest[],
): string | undefined {
  if (pulls.some((it) => it.head === head && it.base === base && it.state === 'OPEN')) {
    return `A pull request already exists for ${OWNER}:${head}.`;
  }
  try {
    const range = [`refs/heads/${base}..refs/heads/${head}`];
    const count = execFileSync('git', ['-C', origin, 'rev-list', '--count', ...range], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return Number(count) > 0 ? undefined : `No commits between ${base} and ${head}`;
  } catch {
    // One of the branches was never pushed.
    return `Head sha can't be blank, Base sha can't be blank, No commits between ${base} and ${head}, Head ref must be a branch`;
  }
}

const failWith = (message: string) => ({
  data: null,
  errors: [{ type: 'UNPROCESSABLE', message }],
});

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
