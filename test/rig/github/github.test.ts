import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { runCommand } from '../programs/run-program.ts';
import { createProject } from '../project/project.ts';
import { GITHUB_URL, startGitHub } from './github.ts';

/** A repository with a bare origin and one story branch, and the real gh beside it. */
async function createRepository() {
  const project = createProject();
  const { root, env, git } = project;
  git('remote', 'add', 'github', GITHUB_URL);
  git('checkout', '-q', '-b', 'story/x');
  const github = await startGitHub(project);
  /** Not synchronous: the double answers from this very process. */
  const gh = (...args: string[]) =>
    runCommand('gh', args, { cwd: root, env: { ...env, ...github.environment } });
  return {
    github,
    git,
    gh,
    async [Symbol.asyncDispose]() {
      await github[Symbol.asyncDispose]();
      project[Symbol.dispose]();
    },
  };
}

const CREATE = [
  'pr',
  'create',
  '--draft',
  '--title',
  'Story: x',
  '--body',
  'B',
  '--head',
  'story/x',
  '--base',
  'main',
];

test('the real gh opens a draft, finds it and marks it ready', async () => {
  await using it = await createRepository();
  it.git('commit', '-q', '--allow-empty', '-m', 'work');
  it.git('push', '-q', 'origin', 'story/x');
  expect(
    await it.gh('pr', 'list', '--head', 'story/x', '--json', 'number,url', '--limit', '1'),
  ).toMatchObject({
    code: 0,
    stdout: '[]\n',
  });
  expect((await it.gh(...CREATE)).stdout).toBe('https://github.com/acme/widgets/pull/1\n');
  const listed = await it.gh('pr', 'list', '--head', 'story/x', '--json', 'number,isDraft,state');
  expect(JSON.parse(listed.stdout)).toEqual([{ number: 1, isDraft: true, state: 'OPEN' }]);
  expect((await it.gh('pr', 'ready', 'story/x')).code).toBe(0);
  expect(it.github.pulls).toEqual([
    {
      number: 1,
      title: 'Story: x',
      body: 'B',
      head: 'story/x',
      base: 'main',
      isDraft: false,
      state: 'OPEN',
    },
  ]);
  expect(await it.gh('pr', 'ready', '1')).toMatchObject({ code: 0 });
  expect((await it.gh(...CREATE)).stderr).toContain('already exists');
  expect(it.github.unknown).toEqual([]);
});

test('a pull request without commits is refused, as GitHub does', async () => {
  await using it = await createRepository();
  it.git('push', '-q', 'origin', 'story/x');
  const { code, stderr } = await it.gh(...CREATE);
  expect(code).toBe(1);
  expect(stderr).toContain('No commits between main and story/x');
  expect(it.github.pulls).toEqual([]);
});

test('an operation it does not know fails loudly', async () => {
  await using it = await createRepository();
  const { code, stderr } = await it.gh('release', 'list');
  expect(code).toBe(1);
  expect(stderr).toContain('does not know the operation');
  expect(it.github.unknown).toHaveLength(1);
});

test('gh without a token says so', async () => {
  await using it = await createRepository();
  const { GH_TOKEN: _, ...rest } = it.github.environment;
  const env = { PATH: process.env.PATH ?? '', ...rest };
  expect(spawnSync('gh', ['pr', 'list'], { env }).status).toBe(4);
});
