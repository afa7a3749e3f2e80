import { parsePullRequestNumber } from '@saga-ai/types/words/pull-request-number';
import type { Environment } from '../processes/run.ts';
import { type GhLimits, openGhProgram } from './call-gh.ts';
import { GhRefusal } from './gh-refusal.ts';

export interface PullRequest {
  number: number;
  url: string;
  state: 'OPEN' | 'MERGED' | 'CLOSED';
  isDraft: boolean;
}

export interface Gh {
  version(): Promise<string | undefined>;
  /** Whether gh has a token for the host. Does not use the network. */
  hasLogin(host: string): Promise<boolean>;
  /** Lists the pull requests of a branch, the newest first. */
  list(branch: string): Promise<PullRequest[]>;
  createDraft(pull: {
    title: string;
    body: string;
    head: string;
    base: string;
  }): Promise<PullRequest>;
  markReady(number: number): Promise<void>;
  readBody(pull: PullRequest): Promise<string>;
  writeBody(pull: PullRequest, body: string): Promise<void>;
  addLabels(pull: PullRequest, labels: readonly string[]): Promise<void>;
  requestReviewers(pull: PullRequest, reviewers: readonly string[]): Promise<void>;
}

export function openGh(folder: string, env: Environment, limits: GhLimits = {}): Gh {
  const gh = openGhProgram(folder, env, limits);
  const run = async (args: readonly string[], input?: string) =>
    (await gh.call(args, input)).trim();
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
        const { stdout } = await gh.attempt(['--version']);
        return /gh version (\S+)/.exec(stdout)?.[1];
      } catch {
        // gh is not installed: pull requests are optional.
        return undefined;
      }
    },
    async hasLogin(host) {
      const args = ['auth', 'token', '--hostname', host];
      return (await gh.attempt(args)).code === 0;
    },
    async list(branch) {
      const fields = 'number,url,state,isDraft';
      const args = ['pr', 'list', '--head', branch, '--state', 'all', '--json', fields];
      const pulls = JSON.parse((await run([...args, '--limit', '20'])) || '[]') as PullRequest[];
      return pulls.toSorted((a, b) => b.number - a.number);
    },
    async createDraft({ title, body, head, base }) {
      const url = await run(
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
      );
      const number = parsePullRequestNumber(url);
      if (number === undefined) throw new GhRefusal(`gh named no pull request: ${url}`);
      return { number, url, state: 'OPEN', isDraft: true };
    },
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
