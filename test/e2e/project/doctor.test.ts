import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '@saga-ai/types/screens/finding';
import { expect, test } from 'vitest';
import { NOBODY, withMode } from '../../rig/faults/nobody.ts';
import { pathWithout } from '../../rig/programs/path-without.ts';
import { processesOf } from '../../rig/programs/processes-of.ts';
import { type RunOptions, SAGA } from '../../rig/programs/run-program.ts';
import { expectJson } from '../../rig/screens/expect-json.ts';
import { expectNothingRunning, lookAround } from '../../rig/worker/traces.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

/** Numbers that differ each time. */
const steady = (text: string, it: Workshop) =>
  text
    .replaceAll(join(it.home, '..'), '/place')
    .replace(/\d+ (ms|GB)\b/g, 'N $1')
    .replace(/\d+\.\d s\b/g, 'N s')
    .replace(/(?<=(node|git|tmux|claude|gh) +)\d+\.[\w.]+/g, 'N');

async function examine(it: Workshop, args: string[] = [], options: RunOptions = {}) {
  const { code, stdout, stderr } = await it.saga(['doctor', '--json', ...args], options);
  const value = JSON.parse(stdout) as { findings: Finding[]; holds: boolean };
  await expectJson('doctor', stdout);
  const { findings, ...rest } = value;
  const told = (name: string) =>
    findings
      .filter((finding) => finding.name === name)
      .map(({ state, message, fix }) => `${state}: ${message}${fix ? ` → ${fix}` : ''}`);
  const wrong = findings.filter(({ state }) => state !== 'ok').map(({ name }) => name);
  return { code, stderr, findings, told, wrong, ...rest };
}

/** Whose things they are not: root becomes nobody; for others git is told so, and root has a folder. */
function becomeStranger(sessions: string): { sessions: string; env: Record<string, string> } {
  if ('uid' in NOBODY) return { sessions, env: {} };
  const env = { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1', SAGA_SESSION_DIR: '/usr' };
  return { sessions: '/usr', env };
}

/** A client that does as it likes, in front of the real one. */
function replaceClient(it: Workshop, script: string): { PATH: string } {
  const folder = join(it.home, '../wrapped');
  mkdirSync(folder, { recursive: true });
  const real = join(it.home, '../bin/claude');
  const text = `#!/bin/sh\nreal='${real}'\n${script}\n`;
  writeFileSync(join(folder, 'claude'), text, { mode: 0o755 });
  return { PATH: `${folder}:${it.environment.PATH}` };
}

const says = (version: string) =>
  `[ "$1" = --version ] && echo '${version} (Claude Code)' && exit 0`;

test('a project that has all it needs', async () => {
  await using it = await createWorkshop();
  it.write('.saga/config.json', { gate: { verify: 'npm test' } });
  it.story('cart', {}, { a: {} });
  const before = lookAround(it);
  const { code, stdout, stderr } = await it.saga(['doctor'], { env: { COLUMNS: '80' } });
  expect(steady(stdout, it)).toMatchInlineSnapshot(`
    "✓ node          N
    ✓ git           N
    ✓ repository    /place/project
    ✓ identity      W <w@example.org>
    ✓ plan in git   not ignored
    ✓ sandbox       off: a run has your rights
    ✓ claude        N (tested)
    ✓ Task tools    offered (checked with a scripted model, N s)
    ✓ guard         answers in N ms, and the client asks it
    ✓ login         logged in (api_key)
    ✓ tmux          N
    ✓ gh            N
    ✓ pull request  would be opened as a draft
    ✓ sessions      /place/sessions (only you can read it)
    ✓ trust         everything that this project runs is known
    ✓ settings      2 set, the rest by default
    ✓ plan          1 story, 0 epics
    ✓ disk          N GB free
    ✓ locks         no stale locks
    ✓ worktrees     0 story worktrees

    ready to run stories
    "
  `);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const line of stdout.split('\n')) {
    expect(line.length <= 80 || !line.trim().slice(20).includes(' ')).toBe(true);
  }
  expect({ ...lookAround(it), home: before.home }).toEqual(before);
  expectNothingRunning(it);
  expect(it.model.requests).toEqual([]);
  expect(it.github.requests.map(({ operation }) => operation)).toEqual(['PullRequestList']);
});

test('a project that is not trusted is not called ready: the last line says what is missing', async () => {
  await using it = await createWorkshop();
  it.write('.saga/config.json', { gate: { verify: 'npm test' } });
  it.story('cart', {}, { a: {} });
  const env = { SAGA_TRUST: '' };
  const { code, stdout } = await it.saga(['doctor'], { env });
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(
    'ready once you agree to what this project runs: saga trust · 2 warnings',
  );
  const run = await it.saga(['run', 'cart'], { env });
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('saga trust');
});

test('on a machine without project, tmux and gh, with a home that cannot be written', async () => {
  await using it = await createWorkshop();
  const outside = join(it.home, '../outside');
  mkdirSync(outside);
  chmodSync(join(it.home, '..'), 0o755);
  using _home = withMode(it.home, 0o555);
  chmodSync(it.environment.TMPDIR ?? '', 0o777);
  const sessions = join(it.environment.TMPDIR ?? '', 'sessions');
  const env = { PATH: pathWithout(it, 'tmux', 'gh'), SAGA_SESSION_DIR: sessions };
  const { code, wrong, told } = await examine(it, [], { cwd: outside, env, ...NOBODY });
  expect({ code, wrong }).toEqual({ code: 0, wrong: ['tmux', 'gh', 'project'] });
  expect(told('tmux')).toMatchInlineSnapshot(`
    [
      "warning: not installed: saga run cannot start a session → Install tmux, or run stories in your terminal: saga run <story> --foreground",
    ]
  `);
  expect(told('gh')).toMatchInlineSnapshot(`
    [
      "warning: not installed: no pull requests → See https://cli.github.com",
    ]
  `);
  expect(told('project')).toEqual([
    'warning: no .saga folder here or above → git init, then saga init',
  ]);
  expect(told('sessions')).toEqual([`ok: ${sessions} (only you can read it)`]);
});

test('a project that somebody else owns and only they may write', async () => {
  await using it = await createWorkshop();
  for (const path of [join(it.home, '..'), it.home]) chmodSync(path, 0o755);
  const sessions = join(it.home, '../saga-sessions');
  mkdirSync(sessions, { mode: 0o755 });
  const env = { PATH: pathWithout(it, 'claude'), SAGA_SESSION_DIR: sessions };
  expect((await examine(it, [], { env })).told('sessions')[0]).toContain('can be read by others');
  const owned = await examine(it, ['--fix'], { env });
  expect(statSync(sessions).mode & 0o777).toBe(0o700);
  expect(owned.told('sessions')).toEqual([`ok: ${sessions} (only you can read it)`]);
  using _saga = withMode(it.paths.saga, 0o555);
  const stranger = becomeStranger(sessions);
  const { code, told } = await examine(it, ['--fix'], {
    ...NOBODY,
    env: { ...env, ...stranger.env },
  });
  expect(code).toBe(1);
  const messages = [told('repository'), told('permissions'), told('sessions')].flat();
  expect(
    messages.map((text) => steady(text.replace(stranger.sessions, sessions), it)),
  ).toMatchInlineSnapshot(`
    [
      "problem: /place/project belongs to another user, so git does not trust it. → If you trust it: git config --global --add safe.directory /place/project",
      "problem: /place/project/.saga cannot be written → chmod u+w /place/project/.saga, or use the account it belongs to",
      "problem: /place/saga-sessions belongs to another user. → Set SAGA_SESSION_DIR to a folder of your own.",
    ]
  `);
});

test('gh is missed only where pull requests would need it, and once', async () => {
  await using it = await createWorkshop();
  const env = { PATH: pathWithout(it, 'gh') };
  const here = await examine(it, [], { env });
  expect([here.told('gh'), here.told('pull request')]).toEqual([
    [],
    ['warning: none: gh is not installed → See https://cli.github.com'],
  ]);
  it.git('remote', 'set-url', 'origin', 'git@gitlab.com:acme/shop.git');
  const elsewhere = await examine(it, [], { env });
  expect([elsewhere.told('gh'), elsewhere.told('pull request')]).toEqual([
    [],
    [expect.stringMatching(/^ok: none: gitlab\.com is not GitHub/)],
  ]);
});

test('without git and the client every other line is there all the same', async () => {
  await using it = await createWorkshop();
  const env = { PATH: pathWithout(it, 'git', 'claude') };
  const { code, findings, holds, stderr } = await examine(it, ['--fix'], { env });
  expect({ code, holds, stderr }).toEqual({ code: 1, holds: false, stderr: '' });
  const lines = findings.map(({ name, state, message, fix }) => [name, state, message, fix]);
  expect(lines.filter(([, state]) => state === 'problem')).toMatchInlineSnapshot(`
    [
      [
        "git",
        "problem",
        "git is not installed.",
        "Install git.",
      ],
      [
        "claude",
        "problem",
        "Claude Code (claude) was not found.",
        "Install it: npm install -g @anthropic-ai/claude-code, or say where it is: saga config worker.claudePath PATH",
      ],
    ]
  `);
  expect(lines.map(([name]) => name)).toEqual(expect.arrayContaining(['node', 'plan', 'disk']));
});

test('a client that is too old, too new, without Task tools, or broken', async () => {
  await using it = await createWorkshop();
  const old = await examine(it, [], { env: replaceClient(it, says('2.0.1')) });
  expect(old.code).toBe(1);
  expect(old.told('claude').map((text) => steady(text, it))).toMatchInlineSnapshot(`
    [
      "problem: /place/wrapped/claude is Claude Code 2.0.1; SAGA needs 2.1.30 or later. → Update it: claude update, or npm install -g @anthropic-ai/claude-code",
    ]
  `);

  const tools = `${says('99.0.0')}\n[ "$1" = -p ] && exec "$real" "$@" --disallowedTools TaskList\nexec "$real" "$@"`;
  const without = await examine(it, [], { env: replaceClient(it, tools) });
  expect(without.code).toBe(1);
  expect(without.told('claude')).toMatchInlineSnapshot(`
    [
      "ok: 99.0.0 (newer than 2.1.327, the last one tested)",
    ]
  `);
  expect(without.told('Task tools')).toMatchInlineSnapshot(`
    [
      "problem: the client does not offer TaskList → claude update, or a version that was tested: 2.1.327",
    ]
  `);
  expect(without.told('guard')).toEqual([expect.stringMatching(/^ok: answers in \d+ ms/)]);

  const broken = `${says('2.1.327')}\n[ "$1" = -p ] && { echo "cannot open libfoo" >&2; exit 127; }\nexec "$real" "$@"`;
  const failing = await examine(it, [], { env: replaceClient(it, broken) });
  expect(failing.code).toBe(1);
  expect(failing.told('claude')).toMatchInlineSnapshot(`
    [
      "ok: 2.1.327 (tested)",
      "problem: a run with a scripted model fails: cannot open libfoo → Try the client by hand: claude -p hello",
    ]
  `);
  expect(failing.told('guard')).toEqual([]);
});

test('a client that takes its login for a prompt is not asked about it', async () => {
  await using it = await createWorkshop();
  const asked = join(it.home, 'asked');
  const script = `${says('2.1.35')}\ncase " $* " in *' auth '*) touch '${asked}';; esac\nexec "$real" "$@"`;
  const { code, told } = await examine(it, [], { env: replaceClient(it, script) });
  const login = ['ok: not known: this version of Claude Code does not tell'];
  expect({ code, login: told('login') }).toEqual({ code: 0, login });
  expect(told('claude')).toEqual(['ok: 2.1.35 (between tested versions)']);
  expect(told('Task tools')).toEqual([expect.stringMatching(/^ok: offered/)]);
  expect(existsSync(asked)).toBe(false);
});

test('without a login it is said how to get one, and gh that hangs is not waited for', async () => {
  await using it = await createWorkshop();
  const folder = join(it.home, '../hanging');
  mkdirSync(folder);
  const script = '#!/bin/sh\n[ "$1" = --version ] && echo "gh version 2.23.0" && exit\nsleep 600\n';
  writeFileSync(join(folder, 'gh'), script, { mode: 0o755 });
  const env = { PATH: `${folder}:${it.environment.PATH}`, ANTHROPIC_API_KEY: '' };
  const { code, told } = await examine(it, [], { env });
  expect(code).toBe(1);
  expect(told('login')).toMatchInlineSnapshot(`
    [
      "problem: Claude Code is not logged in, so no story can be run. → Start claude and type /login, or set ANTHROPIC_API_KEY",
    ]
  `);
  expect(told('pull request')).toMatchInlineSnapshot(`
    [
      "warning: none: GitHub did not answer within 10 s → Is there a network? Try: gh auth status",
    ]
  `);
  expectNothingRunning(it);
});

test('Ctrl-C leaves neither a client nor a folder behind', async () => {
  await using it = await createWorkshop();
  const begun = join(it.home, 'begun');
  const script = `${says('2.1.327')}\n[ "$1" = -p ] && touch '${begun}' && sleep 600\nexec "$real" "$@"`;
  const child = spawn(process.execPath, [SAGA, 'doctor'], {
    cwd: it.root,
    env: { ...it.environment, ...replaceClient(it, script) },
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const ended = once(child, 'close');
  await expect.poll(() => existsSync(begun)).toBe(true);
  expect(processesOf(it.home)).not.toEqual([]);
  child.kill('SIGINT');
  expect(await ended).toEqual([1, null]);
  expect(stdout).toContain('stopped before the end');
  expect(stdout).not.toContain('✗');
  expect(lookAround(it).temp).toEqual([]);
  expect(processesOf(it.home)).toEqual([]);
});

test('what is broken in the project is listed, and what is stale goes with --fix', async () => {
  await using it = await createWorkshop();
  it.story('cart', {}, { a: {} });
  it.story('bad', {}, { a: {} });
  it.write('.saga/stories/bad/a.json', '{ "id": ');
  it.write('.saga/config.json', { worker: { modle: 'opus' } });
  const lock = (name: string, pid: number) => {
    const owner = `${readFileSync('/proc/sys/kernel/hostname', 'utf8').trim()}~${pid}~0~x`;
    it.write(`.git/saga/runs/locks/${name}/${owner}`, '');
  };
  lock('worker-cart', 4_111_111);
  lock('story-cart', process.pid);
  it.git('worktree', 'add', '-q', '-b', 'gone', '../gone');
  it.git('worktree', 'add', '-q', '-b', 'story/old', '.saga/worktrees/old');
  it.git('-c', 'alias.x=!rm -rf ../gone .saga/worktrees/old', 'x');
  const { code, told } = await examine(it);
  expect(code).toBe(1);
  expect(told('settings')).toMatchInlineSnapshot(`
    [
      "problem: .saga/config.json: "worker.modle" is not a known key. → Did you mean worker.model? saga config lists every key.",
    ]
  `);
  expect(told('plan')).toMatchInlineSnapshot(`
    [
      "warning: 2 stories, 0 epics, 1 problem → saga check",
    ]
  `);
  expect(told('locks')).toMatchInlineSnapshot(`
    [
      "warning: 1 stale lock: process 4111111 is gone → saga doctor --fix",
    ]
  `);
  expect(told('worktrees')).toMatchInlineSnapshot(`
    [
      "ok: 0 story worktrees",
      "warning: .saga/worktrees/old: the folder of the worktree of old is gone; what was not committed there went with it → saga doctor --fix",
    ]
  `);
  it.write('.saga/config.json', {});
  const { stdout } = await it.saga(['doctor', '--fix']);
  expect(stdout).toContain('✓ stale lock .git/saga/runs/locks/worker-cart removed\n');
  expect(stdout).toContain('whose folder is gone\n');
  expect(stdout).toMatch(/✓ locks +no stale locks/);
  expect(existsSync(join(it.root, '.git/saga/runs/locks/worker-cart'))).toBe(false);
  expect(existsSync(join(it.root, '.git/saga/runs/locks/story-cart'))).toBe(true);
});
