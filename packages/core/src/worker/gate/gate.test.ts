import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { processesOf } from '../../../../../test/rig/programs/processes-of.ts';
import { createProject, limitLate, type Project } from '../../../../../test/rig/project/project.ts';
import type { Worktree } from '../../git/worktree.ts';
import { loadStory, saveTaskFields } from '../../plan/stories.ts';
import { evidenceFile } from '../../project/paths.ts';
import type { Worker } from '../context.ts';
import { ensureWorktree } from '../prepare/ensure-worktree.ts';
import { describeFailures, runGate } from './gate.ts';

/** A story with all tasks completed and its work committed; a gate that can be run over it. */
async function createDone(fields: object = {}) {
  const it = createProject();
  it.story('other');
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan');
  it.git('push', '-q');
  it.story('x', fields, { one: {}, two: {} });
  const worktree = await ensureWorktree(it.worker());
  const put = (path: string, text = 'text\n') => {
    mkdirSync(dirname(join(worktree.folder, path)), { recursive: true });
    writeFileSync(join(worktree.folder, path), text);
  };
  const commit = async (path: string, text?: string) => {
    put(path, text);
    await worktree.git.run(['add', '-A']);
    await worktree.git.run(['commit', '-q', '-m', `Write ${path}`]);
  };
  await commit('src/cart.js');
  for (const id of ['one', 'two']) await saveTaskFields(it.paths, 'x', id, { status: 'completed' });
  const gate = (config: object = {}, more: Partial<Worker> = {}) =>
    runGate(it.worker(config, more), worktree, [], '9.9.9');
  return Object.assign(it, { worktree, put, commit, gate });
}
type Done = Awaited<ReturnType<typeof createDone>>;

const subjects = ({ git }: Worktree) => git.run(['log', '--format=%s', 'main..HEAD']);
const evidenceOf = (it: Project) =>
  readFileSync(evidenceFile(loadStory(it.paths, 'x').home), 'utf8');

function refusePushes({ origin }: Project): void {
  mkdirSync(join(origin, 'hooks'), { recursive: true });
  const text = '#!/bin/sh\necho No. >&2\nexit 1\n';
  writeFileSync(join(origin, 'hooks/pre-receive'), text, { mode: 0o755 });
}

test('what passes is evidence, in a commit that says so and is pushed', async () => {
  using it = await createDone({ verify: 'test -f src/cart.js' });
  const evidence = await it.gate();
  expect(
    evidence.checks.map(({ name, outcome, detail }) => `${name} ${outcome}: ${detail}`),
  ).toEqual([
    'tasks passed: 2 of 2 completed',
    'changed passed: 1 file changed',
    'committed passed: nothing uncommitted',
    'definitions passed: unchanged',
    'protected-files passed: none changed',
    'write-files skipped: the story declares no writeFiles',
    'history passed: story/x has all its commits',
    'left passed: nothing is left beside the branch',
    'verify passed: test -f src/cart.js ended with code 0 in a clean checkout',
    'pushed passed: story/x is on origin',
  ]);
  expect(await subjects(it.worktree)).toBe(
    'saga: x passed its gate\nsaga: x 2/2 tasks completed\nWrite src/cart.js\nsaga: begin story x',
  );
  expect(it.gitIn(it.origin, 'log', '-1', '--format=%s', 'story/x')).toBe(
    'saga: x passed its gate\n',
  );
});

test('run again, it looks no second time and adds nothing, unless something changed', async () => {
  using it = await createDone({ verify: 'true' });
  await it.gate();
  const before = [await subjects(it.worktree), evidenceOf(it)];
  await it.gate();
  expect([await subjects(it.worktree), evidenceOf(it)]).toEqual(before);
  expect(it.said('gate:passed').at(-1)).toMatchObject({ again: false });
  await it.commit('src/more.js');
  await it.gate();
  expect(it.said('gate:start')).toHaveLength(2);
});

test('another verify command is another question', async () => {
  using it = await createDone();
  expect(await it.gate({ gate: { verify: 'true' } })).toMatchObject({ outcome: 'passed' });
  expect(await it.gate({ gate: { verify: 'false' } })).toMatchObject({ outcome: 'failed' });
});

test.each<[string, (it: Done) => Promise<unknown> | unknown, object, string | RegExp]>([
  [
    'a task left open',
    (it) => saveTaskFields(it.paths, 'x', 'two', { status: 'in_progress' }),
    {},
    'tasks: not completed: two',
  ],
  ['a file in no commit', (it) => it.put('left.txt'), {}, 'committed: uncommitted: left.txt'],
  [
    'the plan of another story',
    (it) => it.commit('.saga/stories/other/one.json', '{}\n'),
    {},
    'definitions: the plan of other stories was changed: .saga/stories/other/one.json',
  ],
  [
    'a protected file',
    (it) => it.commit('.github/workflows/ci.yml'),
    { gate: { protectedFiles: ['.github/', '*.lock'] } },
    'protected-files: changed: .github/workflows/ci.yml',
  ],
  [
    'verify',
    () => {},
    { gate: { verify: 'echo "1 failed"; echo "see above" >&2; exit 4' } },
    'verify: echo "1 failed"; echo "see above" >&2; exit 4 ended with code 4 in a clean checkout\n1 failed\nsee above',
  ],
  [
    'a verify that changes what it should test',
    () => {},
    { gate: { verify: 'echo new > README.md; echo 1 > report.txt' } },
    'verify: echo new > README.md; echo 1 > report.txt changes committed files, so it did not test what is committed: README.md',
  ],
  [
    'a setup that fails in a clean checkout',
    () => {},
    { gate: { verify: 'true' }, worktree: { setup: 'echo no network; exit 7' } },
    'verify: echo no network; exit 7 ended with code 7 in the setup of a clean checkout\nno network',
  ],
  [
    'a verify in the worktree that leaves files',
    () => {},
    { gate: { verify: 'mkdir coverage; echo 1 > coverage/all', clean: false } },
    'verify: mkdir coverage; echo 1 > coverage/all leaves files that are neither committed nor ignored: coverage/all',
  ],
  [
    'a push that is refused',
    refusePushes,
    {},
    'pushed: origin refuses story/x (pre-receive hook declined): No.',
  ],
  [
    'a remote that has gone',
    (it) => renameSync(it.origin, `${it.origin}.away`),
    {},
    /^pushed: fatal: '.*origin.git' does not appear to be a git repository$/,
  ],
])('%s does not pass, and the evidence says what was found', async (_, act, config, failure) => {
  using it = await createDone();
  await act(it);
  const evidence = await it.gate(config);
  expect(describeFailures(evidence).failures).toEqual([
    typeof failure === 'string' ? failure : expect.stringMatching(failure),
  ]);
  expect(JSON.parse(evidenceOf(it))).toEqual(evidence);
  expect((await subjects(it.worktree)).split('\n')[0]).toBe('saga: x did not pass its gate');
});

test('a change outside writeFiles does not pass; the story and its tasks are never outside', async () => {
  using it = await createDone({ writeFiles: ['src/**', 'docs'] });
  await it.commit('docs/deep/cart.md');
  expect(await it.gate()).toMatchObject({ outcome: 'passed' });
  await it.commit('lib/other.js');
  expect(describeFailures(await it.gate()).failures).toEqual([
    'write-files: changed files not in writeFiles: lib/other.js',
  ]);
});

test('a verify that takes longer than gate.timeout is ended with all it started', async () => {
  using it = await createDone();
  const hang = join(it.folder, 'hang.sh');
  // Both ignore the first signal; one of them is in a session of its own.
  writeFileSync(hang, "trap '' TERM\nwhile :; do sleep 1; done\n");
  const verify = `setsid sh '${hang}' & sh '${hang}'`;
  const evidence = await it.gate({ gate: { verify, timeout: 0.02 } });
  const stopped = { stoppedBy: 'timeout' } as const;
  expect(evidence).toMatchObject({ outcome: 'failed', verify: { exitCode: null, ...stopped } });
  expect(evidence.checks.find(({ name }) => name === 'verify')).toEqual({
    name: 'verify',
    outcome: 'failed',
    detail: `${verify} was stopped after 0.02 min, the limit of gate.timeout`,
    ...stopped,
  });
  expect(describeFailures(evidence)).toMatchObject({ checks: ['verify'], ...stopped });
  expect(JSON.parse(evidenceOf(it))).toEqual(evidence);
  expect(processesOf(hang)).toEqual([]);
});

test('what verify prints is told while it runs, a few lines at a time; its silence is told too', async () => {
  using it = await createDone();
  const go = join(it.folder, 'go');
  const verify = `echo first; while ! test -f '${go}'; do sleep 0.05; done; seq 50; echo last`;
  const gate = it.gate({ gate: { verify }, checkIn: { minutes: 1 / 600, misses: 1 } });
  await expect.poll(() => it.said('gate:output').length).toBeGreaterThan(0);
  await expect.poll(() => it.said('gate:silent').length).toBeGreaterThan(0);
  expect(it.said('gate:verify')).toMatchObject([{ command: verify }]);
  expect(it.said('gate:output')[0]).toMatchObject({ lines: ['first'] });
  expect(it.said('gate:silent')[0]).toMatchObject({ command: verify });
  writeFileSync(go, '');
  expect(await gate).toMatchObject({ outcome: 'passed' });
  const told = it.said('gate:output');
  expect(told.at(-1)?.lines.at(-1)).toBe('last');
  expect(told.every(({ lines }) => lines.length <= 10)).toBe(true);
  const all = told.reduce((sum, { lines, skipped = 0 }) => sum + lines.length + skipped, 0);
  expect(all).toBe(52);
});

test('a story that changed nothing outside .saga passes only if its tasks say why', async () => {
  using it = await createDone();
  await it.worktree.git.run(['revert', '--no-edit', 'HEAD~0']);
  const evidence = await it.gate();
  expect(describeFailures(evidence).failures).toEqual([
    'changed: nothing was changed outside .saga',
  ]);
  const say = (task: string, noChange: string) => saveTaskFields(it.paths, 'x', task, { noChange });
  await say('one', 'It only compares libraries.');
  expect(await it.gate()).toMatchObject({ outcome: 'failed' });
  await say('two', 'It writes to the journal.');
  expect((await it.gate()).checks).toContainEqual({
    name: 'changed',
    outcome: 'passed',
    detail: 'nothing, as the tasks say: It only compares libraries.',
  });
});

test('a verify that hangs is ended when the time is up', async () => {
  using it = await createDone();
  const worker = limitLate(it.worker({ gate: { verify: 'echo go; sleep 600' } }), 3000);
  const evidence = await runGate(worker, it.worktree, [], '9.9.9');
  expect(describeFailures(evidence).failures).toEqual([
    'verify: echo go; sleep 600 was stopped: the time is up\ngo',
  ]);
  // It was cut off, so it says nothing about the work.
  expect(existsSync(evidenceFile(loadStory(it.paths, 'x').home))).toBe(false);
});

test('a gate that a person stops leaves no failure behind', async () => {
  using it = await createDone();
  const stop = new AbortController();
  const begun = join(it.folder, 'begun');
  const config = { gate: { verify: `touch '${begun}'; sleep 600` } };
  const gate = it.gate(config, { stop: stop.signal });
  await expect.poll(() => existsSync(begun)).toBe(true);
  stop.abort('stopped by SIGTERM');
  expect(await gate).toMatchObject({ outcome: 'failed' });
  expect(existsSync(evidenceFile(loadStory(it.paths, 'x').home))).toBe(false);
});

test('whether it is pushed is asked of the remote, not of what is remembered of it', async () => {
  using it = await createDone();
  await it.gate();
  it.gitIn(it.origin, 'branch', '-D', 'story/x');
  refusePushes(it);
  expect(describeFailures(await it.gate({ gate: { verify: 'true' } })).failures).toEqual([
    'pushed: origin refuses story/x (pre-receive hook declined): No.',
  ]);
});

test('what a run left beside the branch does not pass until it is merged or deleted', async () => {
  using it = await createDone();
  const { git, folder, base } = it.worktree;
  const ref = 'refs/saga/left/x/1a2b3c4d-rebase';
  expect(await it.gate()).toMatchObject({ outcome: 'passed' });
  const tree = await git.run(['rev-parse', 'HEAD^{tree}']);
  const beside = await git.run(['commit-tree', tree, '-p', base.commit, '-m', 'Beside']);
  await git.run(['update-ref', ref, beside]);
  // The evidence of before says nothing about it.
  expect(describeFailures(await it.gate()).failures).toEqual([
    `left: work of a run is not in story/x: ${ref} (an unfinished rebase); take it in: git -C ${folder} merge ${ref}, or, if it is not needed: git -C ${folder} update-ref -d ${ref}`,
  ]);
  await git.run(['merge', '-q', '-s', 'ours', '-m', 'Taken in', ref]);
  expect(await it.gate()).toMatchObject({ outcome: 'passed' });
});

test('a branch that has no commit in common with its base says so', async () => {
  using it = await createDone();
  const { git, folder } = it.worktree;
  const root = await git.run(['commit-tree', 'HEAD^{tree}', '-m', 'Root']);
  await git.run(['reset', '-q', '--soft', root]);
  expect(describeFailures(await it.gate()).failures[0]).toBe(
    `history: story/x and origin/main have no common commit; put the story onto origin/main: git -C ${folder} rebase --onto origin/main --root`,
  );
});

test('a verify command has no credentials, and what it prints of other secrets is masked', async () => {
  using it = await createDone({ verify: 'env; echo all=$OTHER_SECRET; false' });
  const env = {
    ...it.env,
    ANTHROPIC_API_KEY: 'sk-ant-canary-1',
    CLAUDE_CODE_OAUTH_TOKEN: 'oauth-canary-2',
    GH_TOKEN: 'ghp-canary-3',
    GITHUB_TOKEN: 'ghp-canary-4',
    OTHER_SECRET: 'other-canary-5',
    SHOP_URL: 'postgres://me:canary-pw-6@localhost/shop',
  };
  await it.gate({ gate: { passVariables: ['GITHUB_TOKEN'] } }, { env });
  const text = evidenceOf(it);
  expect(text).not.toContain('canary');
  // The command had the one that the settings pass on, and the person's own.
  expect(text).toContain('GITHUB_TOKEN=[hidden: GITHUB_TOKEN]');
  expect(text).toContain('all=[hidden: OTHER_SECRET]');
  expect(text).toContain('postgres://me:[hidden: SHOP_URL]@localhost/shop');
  expect(text).not.toMatch(/ANTHROPIC_API_KEY|CLAUDE_CODE|GH_TOKEN/);
  expect(JSON.stringify(it.events)).not.toContain('canary');
  expect(it.gitIn(it.origin, 'show', 'story/x:.saga/stories/x/evidence.json')).toBe(text);
});

test('a stop after the last check comes too late: the gate passed, and its evidence is kept', async () => {
  using it = await createDone();
  const stop = new AbortController();
  const worker = it.worker({}, { stop: stop.signal });
  const emit: Worker['emit'] = (type, fields) => {
    if (type === 'gate:check' && JSON.stringify(fields).includes('"pushed"')) stop.abort('Ctrl-C');
    return worker.emit(type, fields);
  };
  const evidence = await runGate({ ...worker, emit }, it.worktree, [], '9.9.9');
  expect(stop.signal.aborted).toBe(true);
  expect(evidence.outcome).toBe('passed');
  expect(JSON.parse(evidenceOf(it)).outcome).toBe('passed');
});
