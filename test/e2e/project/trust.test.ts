import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runCommand, SAGA } from '../../rig/programs/run-program.ts';
import { createProject, type Project } from '../../rig/project/project.ts';
import { expectJson } from '../../rig/screens/expect-json.ts';

/** A clone whose files name programs wherever they can. Each leaves a mark when it is started. */
function createClone() {
  const it = createProject({ name: 'clone', remote: null });
  const mark = join(it.folder, 'marks');
  const evil = (name: string) => `echo ${name} >> ${mark}`;
  it.write('.saga/config.json', {
    worker: { claudePath: './evil.sh', permissions: 'bypass', mcpServers: { m: { command: 'x' } } },
    worktree: { setup: evil('setup') },
    gate: { verify: evil('verify') },
  });
  it.write('evil.sh', `#!/bin/sh\n${evil('client')}\necho '2.1.300 (Claude Code)'\n`);
  it.write('.claude/settings.json', {
    hooks: { SessionStart: [{ hooks: [{ type: 'command', command: evil('hook') }] }] },
    apiKeyHelper: evil('helper'),
  });
  it.story('x', { verify: evil('story') });
  it.git('add', '-A');
  it.git('update-index', '--chmod=+x', 'evil.sh');
  it.git('checkout', '-q', '--', 'evil.sh');
  it.git('commit', '-qm', 'Clone');
  const env = { ...it.env, SAGA_TRUST: '', SAGA_SESSION_DIR: join(it.folder, 'sessions') };
  const saga = (args: string[], more: Record<string, string> = {}) =>
    runCommand(process.execPath, [SAGA, ...args], { cwd: it.root, env: { ...env, ...more } });
  const marks = () => (existsSync(mark) ? readFileSync(mark, 'utf8') : '');
  return { ...it, env, saga, marks };
}

let clone: ReturnType<typeof createClone> | undefined;
afterEach(() => {
  (clone as Project | undefined)?.[Symbol.dispose]();
  clone = undefined;
});

test('nothing of a clone runs before its person agreed: doctor, run, worker, rehearse', async () => {
  clone = createClone();
  const { saga, marks } = clone;
  const doctor = await saga(['doctor', '--json']);
  const { findings } = JSON.parse(doctor.stdout);
  expect(findings).toContainEqual(
    expect.objectContaining({ name: 'trust', state: 'warning', fix: 'saga trust' }),
  );
  for (const args of [
    ['run', 'x'],
    ['worker', 'x'],
    ['rehearse', 'x'],
    ['run', 'x', '--foreground'],
  ]) {
    const { code, stdout } = await saga([...args, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'untrusted',
      hint: expect.stringContaining('saga trust'),
    });
  }
  expect(marks()).toBe('');
  expect(clone.git('for-each-ref', '--format=%(refname)').trim()).toBe('refs/heads/main');
});

test('saga trust lists, remembers and forgets, and a change asks again', async () => {
  clone = createClone();
  const { saga, write, read } = clone;
  const shown = await saga(['trust', '--json']);
  await expectJson('trust', shown.stdout);
  expect(shown.code).toBe(1);
  const { parts } = JSON.parse(shown.stdout);
  expect(parts.map((it: { name: string }) => it.name)).toEqual([
    'worktree.setup',
    'gate.verify',
    'worker.mcpServers',
    '.claude/settings.json hooks',
    '.claude/settings.json apiKeyHelper',
    'verify of x',
  ]);
  expect((await saga(['trust', '--yes'], { SAGA_RUN_ID: 'r' })).stderr).toContain(
    'A run cannot say whether a project is trusted',
  );
  expect((await saga(['trust', '--yes'])).code).toBe(0);
  write('.saga/config.json', read('.saga/config.json').replace('echo verify', 'echo other'));
  const again = await saga(['trust']);
  expect(again.code).toBe(1);
  expect(again.stdout).toMatch(/changed {2}gate\.verify/);
  expect((await saga(['trust', '--forget'])).stdout).toContain('the next run asks again');
  expect((await saga(['trust'])).stdout).toContain('not trusted: 6 things new or changed');
});

test('a project of one’s own never asks: init, config, create and edit remember what they write', async () => {
  clone = createClone();
  const { root, folder, saga } = clone;
  const own = join(folder, 'own');
  const run = (args: string[], more: Record<string, string> = {}) =>
    saga(['--project', own, ...args], more);
  clone.gitIn(folder, 'init', '-q', own);
  writeFileSync(join(own, 'package.json'), '{"scripts":{"test":"node --test"}}');
  expect((await run(['init'])).code).toBe(0);
  expect((await run(['config', 'worktree.setup', 'npm ci'])).code).toBe(0);
  const draft = JSON.stringify({
    title: 'A',
    id: 'a',
    description: 'A',
    verify: 'make a',
    tasks: [],
  });
  writeFileSync(join(folder, 'draft.json'), draft);
  expect((await run(['create', '--file', join(folder, 'draft.json')])).code).toBe(0);
  const editor = `sed -i s/make/gmake/`;
  expect((await run(['edit', 'a'], { EDITOR: editor })).code).toBe(0);
  const { stdout, code } = await run(['trust', '--json']);
  const { parts } = JSON.parse(stdout);
  expect(parts.map((it: { name: string; text: string }) => `${it.name}: ${it.text}`)).toEqual([
    'worktree.setup: npm ci',
    'gate.verify: npm test',
    'verify of a: gmake a',
  ]);
  expect(code).toBe(0);
  // The same from inside a run remembers nothing.
  expect((await run(['config', 'gate.verify', 'true'], { SAGA_RUN_ID: 'r' })).stderr).not.toContain(
    'trust',
  );
  // The personal settings go to the person's own file.
  expect((await run(['config', 'worker.claudePath', '/opt/claude'])).stdout).toContain(
    'your own file',
  );
  expect(readFileSync(join(clone.home, '.config/saga/config.json'), 'utf8')).toContain(
    '/opt/claude',
  );
  expect(readFileSync(join(root, '.saga/config.json'), 'utf8')).not.toContain('/opt/claude');
});

test('at a terminal the list is shown and the question asked once', async () => {
  clone = createClone();
  const { root, env, marks } = clone;
  const type = (answer: string) =>
    runCommand('script', ['-qec', `${process.execPath} ${SAGA} run x`, '/dev/null'], {
      cwd: root,
      env: { ...env, TERM: 'xterm', COLUMNS: '100', NO_COLOR: '1' },
      input: `${answer}\n`,
    });
  const no = await type('n');
  expect(no.stdout).toContain('Do you trust it? [y/N]');
  expect(no.stdout).toContain('echo setup >>');
  expect(no.stdout).toContain('nothing was started');
  expect(marks()).toBe('');
  // After a yes it goes on, and stops here only because this machine has no client on its PATH.
  const yes = await type('y');
  expect(yes.stdout).toContain('Do you trust it? [y/N]');
  expect(yes.stdout).not.toContain('untrusted');
  expect((await type('')).stdout).not.toContain('Do you trust it?');
  expect(marks()).not.toContain('client');
});
