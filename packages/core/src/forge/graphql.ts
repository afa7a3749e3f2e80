import { limitNetwork, type NetworkLimits } from '../git/git.ts';
import { describeFailure } from '../processes/describe-failure.ts';
import { type Environment, runProgram } from '../processes/run.ts';
import { GhRefusal } from './gh.ts';
import { quietGh } from './gh-environment.ts';

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

/** Asks GitHub one thing by GraphQL, and other things by its REST API. Both through gh, with its login. */
export interface GitHubApi {
  ask<T>(query: string, variables: Readonly<Record<string, unknown>>): Promise<T>;
  /** Returns the text of an address below the repository, such as `actions/jobs/1/logs`. */
  read(path: string): Promise<string>;
}

const NETWORK_MS = 60_000;

export function openApi(
  folder: string,
  env: Environment,
  { host, owner, name }: PullRequestPlace,
  { limits, maxOutput }: { limits?: NetworkLimits; maxOutput?: number } = {},
): GitHubApi {
  const options = {
    cwd: folder,
    env: quietGh(env),
    timeoutMs: NETWORK_MS,
    ...limitNetwork(limits, 'delivering'),
    ...(maxOutput === undefined ? {} : { maxOutput }),
  };
  return {
    async ask<T>(query: string, variables: Readonly<Record<string, unknown>>) {
      const args = ['api', 'graphql', '--hostname', host, '--input', '-'];
      const input = JSON.stringify({ query, variables });
      const result = await runProgram('gh', args, { ...options, input });
      // gh ends with 1 if GitHub answers with errors; the answer has them too.
      const answer = parseAnswer<T>(result.stdout);
      const [first] = answer?.errors ?? [];
      if (first) throw new GhRefusal(first.message);
      if (result.code !== 0 || !answer?.data) throw new GhRefusal(describeFailure(result));
      return answer.data;
    },
    async read(path) {
      const args = ['api', '--hostname', host, `repos/${owner}/${name}/${path}`];
      const result = await runProgram('gh', args, options);
      if (result.code !== 0) throw new GhRefusal(describeFailure(result));
      return result.stdout;
    },
  };
}

interface Answer<T> {
  data?: T | null;
  errors?: { message: string }[];
}

function parseAnswer<T>(text: string): Answer<T> | undefined {
  try {
    return JSON.parse(text) as Answer<T>;
  } catch {
    // A proxy or a failing server answers with something else; the exit code says so.
    return undefined;
  }
}
