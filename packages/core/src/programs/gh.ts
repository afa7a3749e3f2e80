import { describeFailure } from './git.ts';
import { type Environment, type ProgramResult, runProgram } from './run.ts';

export interface PullRequest {
  number: number;
  url: string;
  state: 'OPEN' | 'MERGED' | 'CLOSED';
  isDraft: boolean;
}

/** Why gh did not do it, in words for a person; the work goes on without. */
export class GhRefusal extends Error {
  override readonly name = 'GhRefusal';
}

export interface Gh {
  version(): Promise<string | undefined>;
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

export function openGh(folder: string, env: Environment): Gh {
  const options = {
    cwd: folder,
    env: { ...env, GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1' },
    timeoutMs: NETWORK_MS,
  };
  const run = async (args: readonly string[], input = '') => {
    const result = await runProgram('gh', args, { ...options, input });
    if (result.code === 0) return result.stdout.trim();
    throw new GhRefusal(explain(result));
  };
  const api = (method: string, path: string, body: object) =>
    run(['api', '--method', method, path, '--input', '-'], JSON.stringify(body));
  return {
    async version() {
      try {
        const { stdout } = await runProgram('gh', ['--version'], options);
        return /gh version (\S+)/.exec(stdout)?.[1];
      } catch {
        // Not installed: pull requests are wanted, not needed.
        return undefined;
      }
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
      const { body } = JSON.parse(await run(['api', repositoryPath(pull, 'pulls')])) as {
        body?: string | null;
      };
      return body ?? '';
    },
    async writeBody(pull, body) {
      await api('PATCH', repositoryPath(pull, 'pulls'), { body });
    },
    async addLabels(pull, labels) {
      await api('POST', `${repositoryPath(pull, 'issues')}/labels`, { labels });
    },
    async requestReviewers(pull, reviewers) {
      await api('POST', `${repositoryPath(pull, 'pulls')}/requested_reviewers`, { reviewers });
    },
  };
}

/** `https://github.com/acme/widgets/pull/7` to `repos/acme/widgets/pulls/7`. */
function repositoryPath({ url, number }: PullRequest, kind: 'pulls' | 'issues'): string {
  const [, owner = '', name = ''] = new URL(url).pathname.split('/');
  return `repos/${owner}/${name}/${kind}/${number}`;
}

function explain(result: ProgramResult): string {
  const text = describeFailure(result);
  if (result.code === 4 || /gh auth login/.test(text)) return 'gh is not logged in: gh auth login';
  if (/none of the git remotes|no git remotes/.test(text)) return 'no remote is on GitHub';
  return text;
}
