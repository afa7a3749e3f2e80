import { expect, test } from 'vitest';
import { GITHUB_URL, startGitHub } from '../../../../test/rig/github/github.ts';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { checkPullRequests } from './check-pull-requests.ts';

async function check({ root, env }: Project, more: Record<string, string> = {}, asksGitHub = true) {
  const all = { ...env, ...more };
  const { state, message, fix } = await checkPullRequests(root, all, { asksGitHub });
  return `${state}: ${message}${fix ? ` → ${fix}` : ''}`;
}

test('GitHub is asked one question, and not changed', async () => {
  using it = createProject();
  await using github = await startGitHub({ origin: it.origin });
  it.git('remote', 'add', 'github', GITHUB_URL);
  expect(await check(it, github.environment)).toBe('ok: would be opened as a draft');
  expect(github.requests.map(({ operation }) => operation)).toEqual(['PullRequestList']);
  github.faults.push('PullRequestList');
  expect(await check(it, github.environment)).toMatch(/^warning: none: .*502/);
});

test('why there would be none', async () => {
  using it = createProject();
  const anonymous = { GH_CONFIG_DIR: it.folder, GH_TOKEN: '', GITHUB_TOKEN: '' };
  expect(await check(it, { ...anonymous, PATH: it.folder })).toMatch(/^warning: none: /);
  expect(await check(it, { ...anonymous, GH_TOKEN: 'x' })).toMatch(
    /^warning: none: no remote is on GitHub → /,
  );
  it.git('remote', 'add', 'github', GITHUB_URL);
  expect(await check(it, anonymous)).toBe('warning: none: gh is not logged in → gh auth login');
  it.write('.saga/config.json', { pullRequest: { mode: 'off' } });
  expect(await check(it, anonymous)).toBe('ok: switched off (pullRequest.mode)');
  it.write('.saga/config.json', '{ broken');
  expect(await check(it, anonymous)).toMatch(/^warning: none: gh is not logged in/);
});

test('a rehearsal asks gh alone', async () => {
  using it = createProject();
  await using github = await startGitHub({ origin: it.origin });
  const { environment } = github;
  const anonymous = { GH_CONFIG_DIR: it.folder, GH_TOKEN: '', GITHUB_TOKEN: '' };
  const ask = (env: Record<string, string>) => check(it, { ...environment, ...env }, false);
  expect(await ask({})).toMatch(/^warning: none: no remote is on GitHub → /);
  for (const url of [GITHUB_URL, 'git@github.com:acme/widgets.git']) {
    it.git('remote', 'add', 'github', url);
    expect(await ask({})).toBe('ok: would be opened as a draft (GitHub was not asked)');
    expect(await ask(anonymous)).toBe('warning: none: gh is not logged in → gh auth login');
    it.git('remote', 'remove', 'github');
  }
  expect(github.requests).toEqual([]);
});

test('without a remote nobody asks for one', async () => {
  using it = createProject({ remote: null });
  expect(await check(it)).toBe('ok: none: there is no remote');
});

test.each([
  [
    'git@gitlab.com:acme/widgets.git',
    'gitlab.com is not GitHub. SAGA pushes the branch and names the page that compares it with its base, and saga land merges it here',
  ],
  [
    'https://bitbucket.company.test/acme/widgets.git',
    'bitbucket.company.test is not GitHub. SAGA pushes the branch, and saga land merges it here',
  ],
])('another place is no fault, and it is said what happens there: %s', async (url, said) => {
  using it = createProject();
  it.git('remote', 'set-url', 'origin', url);
  // Nobody is asked: neither gh nor the place is needed for the answer.
  for (const asksGitHub of [true, false]) {
    expect(await check(it, { PATH: it.env.PATH ?? '' }, asksGitHub)).toBe(`ok: none: ${said}`);
  }
});
