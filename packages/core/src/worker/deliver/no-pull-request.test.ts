import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  createGitHubProject,
  type GitHubProject,
} from '../../../../../test/rig/github/github-project.ts';

test.each<[string, string | RegExp, (scene: GitHubProject) => ReturnType<GitHubProject['open']>]>([
  [
    'gh is not logged in',
    'gh is not logged in: gh auth login',
    ({ it, github, open }) =>
      open({}, { env: { ...it.env, ...github.environment, GH_TOKEN: undefined } }),
  ],
  [
    'no remote is on GitHub',
    'no remote is on GitHub',
    ({ it, open }) => {
      it.git('remote', 'remove', 'github');
      return open();
    },
  ],
  [
    'GitHub fails',
    /HTTP 502/,
    ({ github, open }) => {
      github.faults.push('PullRequestCreate');
      return open();
    },
  ],
  [
    'GitHub is out of reach',
    /^GitHub cannot be reached: /,
    ({ it, github, open }) => {
      const config = join(it.folder, 'gh');
      mkdirSync(config);
      writeFileSync(join(config, 'config.yml'), 'http_unix_socket: /nowhere.sock\n');
      return open({}, { env: { ...it.env, ...github.environment, GH_CONFIG_DIR: config } });
    },
  ],
  [
    'the remote is out of reach',
    'origin cannot be reached',
    ({ it, open }) => {
      it.git('remote', 'set-url', 'origin', '/nowhere.git');
      return open();
    },
  ],
  [
    'the remote refuses the branch',
    /^origin refuses story\/x \(pre-receive hook declined\): Protected\.$/,
    ({ it, open }) => {
      const hook = join(it.origin, 'hooks/pre-receive');
      mkdirSync(join(it.origin, 'hooks'), { recursive: true });
      writeFileSync(hook, '#!/bin/sh\necho Protected. >&2\nexit 1\n');
      chmodSync(hook, 0o755);
      return open();
    },
  ],
  [
    'pull requests are off',
    'pull requests are switched off',
    ({ open }) => open({ pullRequest: { mode: 'off' } }),
  ],
])('without one the work goes on, and it is said why: %s', async (_, reason, act) => {
  await using scene = await createGitHubProject();
  const pull = await act(scene);
  await pull.refresh();
  expect(pull.url).toBeUndefined();
  expect(scene.github.pulls).toEqual([]);
  expect(scene.it.said('pull-request:skipped').map((event) => event.reason)).toEqual([
    typeof reason === 'string' ? reason : expect.stringMatching(reason),
  ]);
});
