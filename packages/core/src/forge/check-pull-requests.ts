import { type Finding, ok, warning } from '@saga-ai/types/screens/finding';
import { messageOf } from '../errors.ts';
import { findRemote } from '../git/find-base.ts';
import { type Git, openGit } from '../git/git.ts';
import { loadConfigOrDefaults } from '../plan/config.ts';
import { findOnPath } from '../processes/find-program.ts';
import type { Environment } from '../processes/run.ts';
import { buildPaths } from '../project/paths.ts';
import { buildCompareUrl, findOtherHost } from './compare-url.ts';
import { type Gh, openGh } from './gh.ts';
import { type GhCause, GhRefusal, NO_LOGIN, NOT_ON_GITHUB } from './gh-refusal.ts';

const NAME = 'pull request';
/** A branch that does not exist, because the check only asks whether GitHub answers. */
const NO_SUCH_BRANCH = 'saga-doctor';
/** The limit of a check that hangs. A slow machine, far from GitHub, needs some seconds. */
const PATIENCE_MS = 10_000;

/** Checks whether a story would get a pull request: by what this machine knows, or by asking GitHub. */
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
    const host = await findOtherHostOf(git, remote);
    if (host !== undefined) return describeBranchesOnly(host);
    if (findOnPath('gh', env) === undefined) {
      return warning(NAME, 'none: gh is not installed', 'See https://cli.github.com');
    }
    if (!asksGitHub) return await checkLogin(git, openGh(root, env, { timeoutMs: PATIENCE_MS }));
    // With a time limit: if this process ended first, gh would run on.
    await openGh(root, env, { timeoutMs: PATIENCE_MS }).list(NO_SUCH_BRANCH);
    return ok(NAME, 'would be opened as a draft');
  } catch (error) {
    return explain(error instanceof GhRefusal ? error.cause : 'other', messageOf(error));
  }
}

async function findOtherHostOf(git: Git, remote: string): Promise<string | undefined> {
  const { stdout } = await git.attempt(['remote', 'get-url', remote]);
  return findOtherHost(stdout.trim());
}

/** Describes a place without pull requests. That is no problem: SAGA works there with branches. */
const describeBranchesOnly = (host: string): Finding =>
  ok(
    NAME,
    `none: ${host} is not GitHub. SAGA pushes the branch${buildCompareUrl(`https://${host}/a/b`, 'a', 'b') === undefined ? '' : ' and names the page that compares it with its base'}, and saga land merges it here`,
  );

/** Checks whether gh has a token for the host of any remote. */
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
  return explain(isThere ? 'no-login' : 'nowhere');
}

const BRANCHES_ONLY =
  'SAGA still pushes the branch, and saga land merges it here. To stop asking GitHub: saga config pullRequest.mode off';

function explain(cause: GhCause, reason = ''): Finding {
  switch (cause) {
    case 'timeout': {
      const late = `GitHub did not answer within ${PATIENCE_MS / 1000} s`;
      return warning(NAME, `none: ${late}`, 'Is there a network? Try: gh auth status');
    }
    case 'no-login':
      return warning(NAME, `none: ${NO_LOGIN.what}`, NO_LOGIN.remedy);
    case 'nowhere':
      return warning(NAME, `none: ${NOT_ON_GITHUB}`, BRANCHES_ONLY);
    default:
      return warning(NAME, `none: ${reason}`);
  }
}
