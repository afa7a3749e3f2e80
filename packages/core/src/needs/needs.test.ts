import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Config } from '@saga-ai/types/config';
import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { checkNeeds } from '../doctor/check-needs.ts';
import { findOnPath } from '../processes/find-program.ts';
import { preflight } from '../worker/prepare/preflight.ts';
import { NEEDS } from './list.ts';

/** A PATH with nothing but the given scripts. */
function pretend(folder: string, programs: Record<string, string>): string {
  const bin = join(folder, 'only-these');
  mkdirSync(bin, { recursive: true });
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return bin;
}

const GIT = findOnPath('git', process.env) ?? '';
const CLIENT = 'echo "2.1.325 (Claude Code)"';
const git = (version: string, rest = 'exit 0') =>
  `[ "$1" = --version ] && echo '${version}' && exit\n${rest}`;

/** How a project can lack something, which need it is, and what preflight and doctor say. */
const LACKS: readonly [
  string,
  string,
  string,
  (it: Project) => { env?: Record<string, string>; config?: object },
][] = [
  [
    'git',
    'git',
    'git is not installed.',
    (it) => ({ env: { PATH: pretend(it.root, { claude: CLIENT }) } }),
  ],
  [
    'a git that is recent enough',
    'git',
    'git 2.25.1 is too old; SAGA needs 2.31.0 or later.',
    (it) => ({
      env: { PATH: pretend(it.root, { claude: CLIENT, git: git('git version 2.25.1') }) },
    }),
  ],
  [
    'a git that starts',
    'git',
    'no such library',
    (it) => ({
      env: {
        PATH: pretend(it.root, { claude: CLIENT, git: 'echo "no such library" >&2; exit 127' }),
      },
    }),
  ],
  [
    'a committer',
    'identity',
    'git has no name and email for commits',
    (it) => ({
      env: {
        PATH: `${pretend(it.root, { claude: CLIENT })}:${process.env.PATH}`,
        GIT_COMMITTER_NAME: '',
        GIT_COMMITTER_EMAIL: '',
        GIT_CONFIG_GLOBAL: '/dev/null',
        EMAIL: '',
      },
    }),
  ],
  [
    'a plan that git tracks',
    'plan in git',
    'git ignores .saga/stories/',
    (it) => {
      writeFileSync(join(it.root, '.gitignore'), '.saga/stories\n');
      return {};
    },
  ],
  [
    'programs for the sandbox',
    'sandbox',
    'worker.sandbox is required, but bubblewrap is not installed.',
    (it) => {
      const paths = { claude: CLIENT, git: git('git version 2.39.5', `exec ${GIT} "$@"`) };
      return {
        env: { PATH: pretend(it.root, paths) },
        config: { worker: { sandbox: 'required' } },
      };
    },
  ],
  [
    'the client',
    'claude',
    'Claude Code (claude) was not found.',
    (it) => ({
      env: { PATH: pretend(it.root, { git: git('git version 2.39.5', `exec ${GIT} "$@"`) }) },
    }),
  ],
  [
    'a login',
    'login',
    'Claude Code is not logged in, so no story can be run.',
    (it) => ({
      env: {
        PATH: `${pretend(it.root, { claude: `[ "$1" = --version ] && ${CLIENT} && exit\necho '{ "loggedIn": false }'` })}:${process.env.PATH}`,
        ANTHROPIC_API_KEY: '',
      },
    }),
  ],
  [
    'a client that is recent enough',
    'claude',
    'SAGA needs 2.1.30 or later.',
    (it) => ({
      env: {
        PATH: pretend(it.root, {
          claude: 'echo "2.0.1 (Claude Code)"',
          git: git('git version 2.39.5', `exec ${GIT} "$@"`),
        }),
      },
    }),
  ],
];

test.each(LACKS)(
  'without %s preflight refuses and doctor says so',
  async (_, name, words, spoil) => {
    using it = createProject();
    it.story('x', {}, { one: {} });
    const {
      env = { PATH: `${pretend(it.root, { claude: CLIENT })}:${process.env.PATH}` },
      config = {},
    } = spoil(it);
    const worker = it.worker(config, { env: { ...it.worker().env, ...env } });
    await expect(preflight(worker)).rejects.toThrow(words);
    const place = { ...worker, root: it.root, config: Config.parse(config) };
    const findings = await checkNeeds(NEEDS, place);
    const problems = findings.filter((it) => it.state === 'problem');
    expect(problems.map((it) => it.name)).toEqual([name]);
    expect(problems[0]?.message).toContain(words);
    expect(problems[0]?.fix).toBeTruthy();
  },
);

test('a line break in the path of a project is refused before anything is made', async () => {
  using it = createProject({ name: 'two\nlines' });
  it.story('x', {}, { one: {} });
  const PATH = `${pretend(it.root, { claude: CLIENT })}:${process.env.PATH}`;
  const worker = it.worker({}, { env: { ...it.worker().env, PATH } });
  await expect(preflight(worker)).rejects.toThrow('has a line break');
});

test('a project that lacks nothing', async () => {
  using it = createProject();
  it.story('x', {}, { one: {} });
  const PATH = `${pretend(it.root, { claude: CLIENT })}:${process.env.PATH}`;
  const worker = it.worker({ pullRequest: { mode: 'off' } }, { env: { ...it.worker().env, PATH } });
  expect(await preflight(worker)).toMatchObject({ agent: { version: '2.1.325' } });
  const place = { ...worker, root: it.root, config: Config.parse({ worker: { sandbox: 'off' } }) };
  const findings = await checkNeeds(NEEDS, place);
  expect(findings.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'git ok',
    'repository ok',
    'identity ok',
    'plan in git ok',
    'sandbox ok',
    'claude ok',
    'login ok',
  ]);
});
