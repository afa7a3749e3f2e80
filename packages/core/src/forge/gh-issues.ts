import type { NetworkLimits } from '../git/git.ts';
import type { Environment } from '../processes/run.ts';
import { openGhProgram } from './call-gh.ts';
import { GhRefusal } from './gh-refusal.ts';
import type { Issue } from './issue.ts';

const FIELDS = 'number,title,body,url,labels,author';

/** What gh prints of an issue. */
interface Printed {
  number: number;
  title: string;
  body: string | null;
  url: string;
  labels: { name: string }[] | null;
  author: { login: string } | null;
}

/** Reads issues through gh. gh finds the repository by the remotes of the folder. */
export function openIssues(folder: string, env: Environment, limits?: NetworkLimits) {
  const gh = openGhProgram(folder, env, { limits });
  const ask = async <T>(args: readonly string[]): Promise<T> =>
    JSON.parse(await gh.call([...args, '--json', FIELDS])) as T;
  return {
    async read(number: number): Promise<Issue> {
      const printed = await ask<Printed>(['issue', 'view', String(number)]);
      if (isPullRequest(printed)) throw new GhRefusal(`#${number} is a pull request, not an issue`);
      return toIssue(printed);
    },
    async list(labels: readonly string[], most: number): Promise<Issue[]> {
      const named = labels.flatMap((label) => ['--label', label]);
      const args = ['issue', 'list', '--state', 'open', '--limit', String(most), ...named];
      const printed = await ask<Printed[]>(args);
      return printed.map(toIssue).toSorted((a, b) => a.number - b.number);
    },
  };
}

/** GitHub counts issues and pull requests together, and gh shows either. */
const isPullRequest = ({ url }: Printed) => /\/pull\/\d+$/.test(url);

const toIssue = ({ number, title, body, url, labels, author }: Printed): Issue => ({
  number,
  title,
  body: body ?? '',
  url,
  labels: (labels ?? []).map((it) => it.name),
  // gh names a program app/<login>, and an account that is gone app/.
  author: (author?.login ?? '').replace(/^app\/$/, ''),
});
