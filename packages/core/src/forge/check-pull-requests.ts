import { type Finding, ok, warning } from '@saga-ai/types/screens/finding';
import { messageOf } from '../errors.ts';
import { findRemote } from '../git/find-base.ts';
import { type Git, openGit } from '../git/git.ts';
import { loadConfigOrDefaults } from '../plan/config.ts';
import { findOnPath } from '../processes/find-program.ts';
import type { Environment } from '../processes/run.ts';
import { buildPaths } from '../project/paths.ts';
import { type Gh, openGh } from './gh.ts';

const NAME = 'pull request';
/** A branch that nobody has: the question is only whether GitHub answers. */
const NOBODYS_BRANCH = 'saga-doctor';
const PATIENCE_MS = 2500;
const NOT_ON_GITHUB = 'no remote is on GitHub';

/** Whether a story would get its pull request, as far as this machine knows, or asked of GitHub. */
export async function checkPullRequests(
  root: string,
  env: Environment,
  { asksGitHub }: { asksGitHub: boolean },
): Promise<Finding> {
  const { pullRequest } = loadConfigOrDefaults(buildPaths(root), { environment: env });
  if (pullRequest.mode === 'off') return ok(NAME, 'switched off (pullRequest.mode)');
  try {
    const git = openGit(root, env);
    const remote = await findRemote(git);
    if (remote === undefined) return ok(NAME, 'none: there is no remote');
    if (findOnPath('gh', env) === undefined) {
      return warning(NAME, 'none: gh is not installed', 'See https://cli.github.com');
    }
    if (!asksGitHub) return await checkLogin(git, openGh(root, env, { timeoutMs: PATIENCE_MS }));
    // It is ended when it takes too long: nobody would see to it once we are gone.
    await openGh(root, env, { timeoutMs: PATIENCE_MS }).list(NOBODYS_BRANCH);
    return ok(NAME, 'would be opened as a draft');
  } catch (error) {
    return explain(messageOf(error));
  }
}

/** gh knows for which hosts it has a token; any remote may be the one on GitHub. */
async function checkLogin(git: Git, gh: Gh): Promise<Finding> {
  const urls = (await git.attempt(['config', '--get-regexp', '^remote\\..*\\.url$'])).stdout;
  const hosts = [...urls.matchAll(/(?:\/\/|\s)(?:[^@/\s]+@)?([\w.-]+\.[a-z]+)[:/]/g)].map(
    ([, host = '']) => host,
  );
  for (const host of new Set(hosts)) {
    if (await gh.hasLogin(host))
      return ok(NAME, 'would be opened as a draft (GitHub was not asked)');
  }
  const isThere = hosts.some((host) => /github/.test(host));
  return explain(isThere ? 'gh is not logged in: gh auth login' : NOT_ON_GITHUB);
}

const FIXES: Readonly<Record<string, string>> = {
  [NOT_ON_GITHUB]:
    'If that is as you want it: saga config pullRequest.mode off. The branch is pushed all the same',
};

function explain(reason: string): Finding {
  if (/took too long/.test(reason)) {
    const late = `GitHub did not answer within ${PATIENCE_MS / 1000} s`;
    return warning(NAME, `none: ${late}`, 'Is there a network? Try: gh auth status');
  }
  const [, what, how] = /^(.+): (gh auth login)$/.exec(reason) ?? [];
  return warning(NAME, `none: ${what ?? reason}`, how ?? FIXES[reason]);
}
