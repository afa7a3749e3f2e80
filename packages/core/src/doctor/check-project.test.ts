import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Config } from '@saga-ai/types/config';
import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { claude } from '../agents/claude/agent.ts';
import { client, login } from '../needs/client-needs.ts';
import { NEEDS } from '../needs/list.ts';
import { checkNeeds } from './check-needs.ts';
import { checkThisProject } from './check-project.ts';

async function check({ paths, env, root }: Project, more: Record<string, string> = {}) {
  const all = { ...env, ...more };
  const place = { root, config: Config.parse({}), env: all, agent: claude };
  const findings = [
    ...(await checkNeeds(
      NEEDS.filter((need) => need !== client && need !== login),
      place,
    )),
    ...(await checkThisProject(paths, all)),
  ];
  return Object.fromEntries(
    findings.map(({ name, state, message, fix }) => [
      name,
      `${state}: ${message}${fix ? ` → ${fix}` : ''}`
        .replaceAll(root, '/project')
        .replace(/\d+ (GB|MB)/, 'N GB'),
    ]),
  );
}

test('a project as it should be', async () => {
  using it = createProject();
  it.write('.saga/config.json', { gate: { verify: 'npm test' }, worker: { maxCycles: 3 } });
  it.story('x');
  expect(await check(it)).toEqual({
    git: expect.stringMatching(/^ok: \d/),
    repository: 'ok: /project',
    identity: 'ok: W <w@example.org>',
    'plan in git': 'ok: not ignored',
    sandbox: expect.stringMatching(/^ok: (bubblewrap works|runs are not enclosed)/),
    settings: 'ok: 2 set, the rest by default',
    plan: 'ok: 1 story, 0 epics',
    disk: expect.stringMatching(/^(ok|warning): N GB free/),
  });
});

test('a new worktree that would lack something', async () => {
  using it = createProject();
  it.write('package-lock.json', {});
  expect((await check(it)).setup).toBe(
    "warning: worktree.setup does not install what package-lock.json lists, so a new worktree lacks it → saga config worktree.setup 'npm ci'",
  );
  it.write('.saga/config.json', { worktree: { setup: 'npm ci' } });
  expect(await check(it)).not.toHaveProperty('setup');
  it.write('.gitmodules', '');
  expect((await check(it)).setup).toMatch(
    /\.gitmodules .* 'git submodule update --init --recursive && npm ci'$/,
  );
});

test('settings and plans that are not', async () => {
  using it = createProject();
  expect((await check(it)).settings).toBe(
    'warning: gate.verify is not set: a story without its own verify is not tested → saga config gate.verify "npm test"',
  );
  expect((await check(it, { SAGA_GATE_VERIFY: 'make' })).settings).toMatch(/^ok: 1 set/);
  expect((await check(it, { SAGA_WORKER_MAX_CYCLES: 'many' })).settings).toMatch(/^problem: /);
  it.write('.saga/config.json', '{ "gate": ');
  it.story('x');
  it.write('.saga/stories/x/one.json', '[]');
  const { settings, plan } = await check(it);
  expect(settings).toMatch(/^problem: \.saga\/config\.json .*→/);
  expect(plan).toBe('warning: 1 story, 0 epics, 1 problem → saga check');
});

test('a repository without a commit, none at all, and one around the project', async () => {
  using it = createProject();
  rmSync(join(it.root, '.git'), { recursive: true });
  const none =
    'problem: /project is not the top folder of a git repository. → Run git init there, or move .saga to the top of the repository.';
  const { repository, plan } = await check(it, { GIT_CEILING_DIRECTORIES: it.folder });
  expect({ repository, plan }).toEqual({ repository: none, plan: 'ok: 0 stories, 0 epics' });
  it.gitIn(it.folder, 'init', '-q', it.folder);
  expect((await check(it)).repository).toBe(none);
  it.git('init', '-q', it.root);
  expect((await check(it)).repository).toBe(
    'problem: The repository in /project has no commit yet, so there is nothing to branch from. → Make the first one: git add -A && git commit -m "First commit"',
  );
  expect(await check(it, { PATH: it.folder })).not.toHaveProperty('repository');
});

test('a repository of somebody else is told from none', async () => {
  using it = createProject({ name: 'not mine' });
  const { repository } = await check(it, { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' });
  expect(repository).toBe(
    "problem: /project belongs to another user, so git does not trust it. → If you trust it: git config --global --add safe.directory '/project'",
  );
});
