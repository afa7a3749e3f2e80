import { limitNetwork, type NetworkLimits } from '../git/git.ts';
import { describeFailure } from '../processes/describe-failure.ts';
import { type Environment, type ProgramResult, runProgram } from '../processes/run.ts';
import { quietGh } from './gh-environment.ts';

export interface PullRequest {
  number: number;
  url: string;
  state: 'OPEN' | 'MERGED' | 'CLOSED';
  isDraft: boolean;
}

/** gh or GitHub refused. The message is for a person; the work continues without it. */
export class GhRefusal extends Error {
  override readonly name = 'GhRefusal';
  /** True if asking again would not help, because no pull request is wanted. */
  readonly isFinal: boolean;

  constructor(message: string, { isFinal = false }: { isFinal?: boolean } = {}) {
    super(message);
    this.isFinal = isFinal;
  }
}

export interface Gh {
  version(): Promise<string | undefined>;
  /** Whether gh has a token for the host. Does not use the network. */
  hasLogin(host: string): Promise<boolean>;
  /** Newest first. */
  list(branch: string): Promise<PullRequest[]>;
  createDraft(pull: { title: string; body: string; head: string; base: string }): Promise<string>;
  markReady(number: number): Promise<void>;
  readBody(pull: PullRequest): Promise<string>;
  writeBody(pull: PullRequest, body: string): Promise<void>;
  addLabels(pull: PullRequest, labels: readonly string[]): Promise<void>;
  requestReviewers(pull: PullRequest, reviewers: readonly string[]): Promise<void>;
}

const NETWORK_MS = 60_000;

export function openGh(
  folder: string,
  env: Environment,
  { timeoutMs = NETWORK_MS, limits }: { timeoutMs?: number; limits?: NetworkLimits } = {},
): Gh {
  const options = {
    cwd: folder,
    env: quietGh(env),
    timeoutMs,
    ...limitNetwork(limits, 'delivering'),
  };
  const run = async (args: readonly string[], input = '') => {
    const result = await runProgram('gh', args, { ...options, input });
    if (result.isCut) throw new GhRefusal('gh printed more than SAGA can read');
    if (result.code === 0) return result.stdout.trim();
    const reason = explainGh(result);
    throw new GhRefusal(reason, { isFinal: reason === NOT_ON_GITHUB });
  };
  const api = (method: string, pull: PullRequest, path: string, body?: object) =>
    run(
      [
        'api',
        // Otherwise gh would ask github.com, even for a company's own GitHub.
        ...['--hostname', new URL(pull.url).host],
        ...['--method', method, path],
        ...(body ? ['--input', '-'] : []),
      ],
      body && JSON.stringify(body),
    );
  return {
    async version() {
      try {
        const { stdout } = await runProgram('gh', ['--version'], options);
        return /gh version (\S+)/.exec(stdout)?.[1];
      } catch {
        // gh is not installed: pull requests are optional.
        return undefined;
      }
    },
    async hasLogin(host) {
      const args = ['auth', 'token', '--hostname', host];
      return (await runProgram('gh', args, options)).code === 0;
    },
    async list(branch) {
      const fields = 'number,url,state,isDraft';
      const args = ['pr', 'list', '--head', branch, '--state', 'all', '--json', fields];
      const pulls = JSON.parse((await run([...args, '--limit', '20'])) || '[]') as PullRequest[];
      return pulls.toSorted((a, b) => b.number - a.number);
    },
    createDraft: ({ title, body, head, base }) =>
      run(
        // prettier-ignore
        [
          'pr',
          'create',
          '--draft',
          '--title',
          title,
          '--body-file',
          '-',
          '--head',
          head,
          '--base',
          base,
        ],
        body,
      ),
    async markReady(number) {
      await run(['pr', 'ready', String(number)]);
    },
    async readBody(pull) {
      const { body } = JSON.parse(await api('GET', pull, repositoryPath(pull, 'pulls'))) as {
        body?: string | null;
      };
      return body ?? '';
    },
    async writeBody(pull, body) {
      await api('PATCH', pull, repositoryPath(pull, 'pulls'), { body });
    },
    async addLabels(pull, labels) {
      await api('POST', pull, `${repositoryPath(pull, 'issues')}/labels`, { labels });
    },
    async requestReviewers(pull, reviewers) {
      // A team is written as acme/owners; GitHub wants teams and people in separate fields.
      const isTeam = (name: string) => name.includes('/');
      await api('POST', pull, `${repositoryPath(pull, 'pulls')}/requested_reviewers`, {
        reviewers: reviewers.filter((it) => !isTeam(it)),
        team_reviewers: reviewers.filter(isTeam).map((it) => it.replace(/^.*\//, '')),
      });
    },
  };
}

/** `https://github.com/acme/widgets/pull/7` to `repos/acme/widgets/pulls/7`. */
function repositoryPath({ url, number }: PullRequest, kind: 'pulls' | 'issues'): string {
  const [, owner = '', name = ''] = new URL(url).pathname.split('/');
  return `repos/${owner}/${name}/${kind}/${number}`;
}

const NOT_ON_GITHUB = 'no remote is on GitHub';

/** Says in words why gh failed. */
export function explainGh(result: ProgramResult): string {
  const text = describeFailure(result);
  // Check this first: this message also mentions the login, for a GitHub of one's own.
  if (/none of the git remotes|no git remotes/.test(text)) return NOT_ON_GITHUB;
  if (result.code === 4 || /gh auth login/.test(text)) return 'gh is not logged in: gh auth login';
  if (/error connecting to|dial (tcp|unix)|no such host/.test(text)) {
    return `GitHub cannot be reached: ${text}`;
  }
  return text;
}
