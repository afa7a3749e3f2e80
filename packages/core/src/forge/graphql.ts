import type { Environment } from '../processes/run.ts';
import { type GhLimits, openGhProgram } from './call-gh.ts';
import { type AnswerError, buildAnswerRefusal, buildRefusal } from './gh-refusal.ts';

/** A pull request by its address, such as `https://github.com/acme/widgets/pull/7`. */
export interface PullRequestPlace {
  host: string;
  owner: string;
  name: string;
  number: number;
}

export function parsePullRequestUrl(url: string): PullRequestPlace | undefined {
  if (!URL.canParse(url)) return undefined;
  const { host, pathname } = new URL(url);
  const [, owner, name, number] = /^\/([^/]+)\/([^/]+)\/pull\/(\d+)\/?$/.exec(pathname) ?? [];
  if (owner === undefined || name === undefined) return undefined;
  return { host, owner, name, number: Number(number) };
}

/** Asks GitHub through gh, with its login: by GraphQL, or by the REST API. */
export interface GitHubApi {
  ask<T>(query: string, variables: Readonly<Record<string, unknown>>): Promise<T>;
  /** Returns the text of an address below the repository, such as `actions/jobs/1/logs`. */
  read(path: string): Promise<string>;
}

export function openApi(
  folder: string,
  env: Environment,
  { host, owner, name }: PullRequestPlace,
  limits: GhLimits = {},
): GitHubApi {
  const gh = openGhProgram(folder, env, limits);
  return {
    async ask<T>(query: string, variables: Readonly<Record<string, unknown>>) {
      const args = ['api', 'graphql', '--hostname', host, '--input', '-'];
      const input = JSON.stringify({ query, variables });
      const result = await gh.attempt(args, input);
      // gh ends with 1 if GitHub answers with errors; the answer has them too.
      const answer = parseAnswer<T>(result.stdout);
      const [first] = answer?.errors ?? [];
      if (first) throw buildAnswerRefusal(first);
      if (result.code !== 0 || !answer?.data) throw buildRefusal(result);
      return answer.data;
    },
    async read(path) {
      const args = ['api', '--hostname', host, `repos/${owner}/${name}/${path}`];
      const result = await gh.attempt(args);
      // A log may be cut, because only its end matters.
      if (result.code !== 0) throw buildRefusal(result);
      return result.stdout;
    },
  };
}

interface Answer<T> {
  data?: T | null;
  errors?: AnswerError[];
}

function parseAnswer<T>(text: string): Answer<T> | undefined {
  try {
    return JSON.parse(text) as Answer<T>;
  } catch {
    // A proxy or a failing server does not answer with JSON. The exit code then shows the failure.
    return undefined;
  }
}
