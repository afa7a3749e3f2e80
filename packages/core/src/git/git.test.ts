import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NO_LIFELINE } from '../../../../test/rig/programs/no-lifeline.ts';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { describeFailure } from '../processes/describe-failure.ts';
import { commitAll, commitPath } from './commit.ts';
import { gitFailed, openGit } from './git.ts';
import { pinPushHook } from './pins.ts';
import { keepOut, openPlainGit } from './plain-git.ts';
import { listUncommitted } from './uncommitted.ts';

const open = (it: Project) => openGit(it.root, it.env);

test('only what is below the path is committed; what else is staged stays staged', async () => {
  using it = createProject();
  it.write('a/1.txt', '1\n');
  it.write('b/2.txt', '2\n');
  it.git('add', 'b');
  expect(await commitPath(open(it), 'a', 'Only a')).toBe(true);
  expect(it.git('show', '--name-only', '--format=%s')).toBe('Only a\n\na/1.txt\n');
  expect(it.git('status', '--porcelain')).toBe('A  b/2.txt\n');
  expect(await commitPath(open(it), 'a', 'Nothing')).toBe(false);
});

test('a merge that a person has not finished is left to them', async () => {
  using it = createProject();
  it.git('switch', '-q', '-c', 'side');
  it.git('commit', '-q', '--allow-empty', '-m', 'Side');
  it.git('switch', '-q', 'main');
  it.git('merge', '-q', '--no-ff', '--no-commit', 'side');
  it.write('a/1.txt', '1\n');
  expect(await commitPath(open(it), 'a', 'A part')).toBe(false);
  expect(it.git('rev-parse', '-q', '--verify', 'MERGE_HEAD')).not.toBe('');
});

test('everything is committed past hooks, keys and line ends that would refuse it', async () => {
  using it = createProject();
  for (const name of ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit']) {
    const hook = join(it.root, '.git/hooks', name);
    writeFileSync(hook, '#!/bin/sh\ntouch hook-was-run\nexit 1\n');
    chmodSync(hook, 0o755);
  }
  it.git('config', 'commit.gpgsign', 'true');
  it.git('config', 'gpg.program', '/bin/false');
  it.git('config', 'core.autocrlf', 'true');
  it.git('config', 'core.safecrlf', 'true');
  it.write('a.txt', 'a\n');
  expect(await commitAll(open(it), 'All')).toBe(true);
  expect(it.git('log', '-1', '--format=%s')).toBe('All\n');
  expect(it.git('status', '--porcelain')).toBe('');
  expect(await commitAll(open(it), 'Again')).toBe(false);
});

test('variables that a hook of another git left behind lead nowhere', async () => {
  using it = createProject();
  using other = createProject();
  const env = { ...it.env, GIT_DIR: join(other.root, '.git'), GIT_WORK_TREE: other.root };
  expect(await openGit(it.root, env).run(['rev-parse', '--show-toplevel'])).toBe(it.root);
});

test('a failure is told by what is particular to it, and how to see it for oneself', async () => {
  using it = createProject({ name: "it's here" });
  const result = await open(it).attempt(['fetch', '/no/such.git']);
  expect(describeFailure(result)).toBe(
    "fatal: '/no/such.git' does not appear to be a git repository",
  );
  await expect(
    open(it).run(['-c', 'a.b=c', 'rev-parse', '--verify', 'no such']),
  ).rejects.toMatchObject({
    message: `git rev-parse failed in ${it.root}: fatal: Needed a single revision.`,
    hint: `To see it yourself: git -C '${it.root.replace("'", `'\\''`)}' -c a.b=c rev-parse --verify 'no such'`,
  });
});

/** A git that does as the script says before it is git; `$n` is the number of the call. */
function gitAfter(it: Project, script: string) {
  const bin = join(it.folder, 'bin');
  const calls = join(it.folder, 'calls');
  mkdirSync(bin);
  const count = `echo call >> '${calls}'; n=$(wc -l < '${calls}')`;
  const real = `PATH='${it.env.PATH}' exec git "$@"`;
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${count}\n${script}\n${real}\n`, { mode: 0o755 });
  const git = openGit(it.root, { ...it.env, PATH: `${bin}:${it.env.PATH}` });
  return { git, calls: () => readFileSync(calls, 'utf8').split('\n').length - 1 };
}

test('a worktree that another git is just making is waited for; one half made for good is told', async () => {
  using it = createProject();
  const entry = (file: string, text: string) => it.write(`.git/worktrees/half/${file}`, text);
  entry('HEAD', 'ref: refs/heads/half\n');
  entry('gitdir', `${it.folder}/half/.git\n`);
  entry('commondir', '');
  const path = join(it.root, '.git/worktrees/half/commondir');
  const { git, calls } = gitAfter(it, `[ "$n" -ne 3 ] || echo ../.. > '${path}'`);
  expect(await git.run(['worktree', 'list'])).toContain('[half]');
  expect(calls()).toBe(3);
  entry('commondir', '');
  await expect(git.run(['worktree', 'list'])).rejects.toThrow(/failed to read .*half.commondir/);
});

test('an output that is too long to be read whole is an error, not a shorter list', async () => {
  using it = createProject();
  writeFileSync(join(it.folder, 'large'), Buffer.alloc(66 * 1024 * 1024, 'x'));
  const id = it.git('hash-object', '-w', join(it.folder, 'large')).trim();
  await expect(open(it).run(['cat-file', 'blob', id])).rejects.toMatchObject({
    code: 'git-failed',
    message: `git cat-file printed more in ${it.root} than SAGA can read.`,
  });
});

test('a stop ends commands that reach the network, and no others', async () => {
  using it = createProject();
  const [asking, delivering] = [new AbortController(), new AbortController()];
  const ends = { asking: asking.signal, delivering: delivering.signal };
  const git = openGit(it.root, it.env, { ends, lifeline: NO_LIFELINE });
  asking.abort();
  const fetched = await git.attempt(['fetch', 'origin'], { network: 'asking' });
  expect(describeFailure(fetched)).toBe('it was stopped');
  const push = ['push', 'origin', 'HEAD:refs/heads/other'];
  expect((await git.attempt(push, { network: 'delivering' })).code).toBe(0);
  delivering.abort();
  expect((await git.attempt(push, { network: 'delivering' })).wasStopped).toBe(true);
  expect((await git.attempt(['status'])).code).toBe(0);
});

test.each([
  "error: cannot lock ref 'refs/remotes/origin/main': is at 1 but expected 2",
  "error: cannot lock ref 'refs/heads/x': Unable to create '/r/.git/refs/heads/x.lock': File exists.",
  "error: cannot lock ref 'refs/remotes/origin/story/x': reference already exists",
  "fatal: update_ref failed for ref 'refs/heads/x': cannot lock ref 'refs/heads/x': is at 1 but expected 2",
  'error: could not lock config file .git/config: File exists',
  'fatal: bad object worktrees/s4/HEAD',
])('what another git does at this moment is waited for: %s', async (words) => {
  using it = createProject();
  const { git, calls } = gitAfter(it, `[ "$n" -gt 2 ] || { echo "${words}" >&2; exit 1; }`);
  expect(await git.run(['rev-parse', '--is-bare-repository'])).toBe('false');
  expect(calls()).toBe(3);
});

test('what no waiting would mend is told at once', async () => {
  using it = createProject();
  it.git('branch', 'story');
  const { git, calls } = gitAfter(it, '');
  await expect(git.run(['branch', 'story/x'])).rejects.toThrow(/cannot create|cannot lock ref/);
  expect(calls()).toBe(1);
});

test('our own commits and refs are synced to the disk, and settings of the caller stay', async () => {
  using it = createProject();
  const env = {
    ...it.env,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'a.b',
    GIT_CONFIG_VALUE_0: 'c',
  };
  for (const git of [openGit(it.root, env), openPlainGit(it.root, env)]) {
    expect(await git.run(['config', 'core.fsync'])).toBe('committed,reference');
    expect(await git.run(['config', 'a.b'])).toBe('c');
  }
  expect(await openPlainGit(it.root, env).run(['config', 'core.fsmonitor'])).toBe('false');
});

/** How often git waited for the disk, by its own account. */
function countSyncs(trace: string): number {
  const counts = [
    ...readFileSync(trace, 'utf8').matchAll(/"fsync\/hardware-flush","value":"(\d+)"/g),
  ];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

test('a commit of ours is on the disk when it is told: its objects and its ref', async () => {
  using it = createProject();
  const trace = join(it.folder, 'trace');
  const git = openGit(it.root, { ...it.env, GIT_TRACE2_EVENT: trace });
  it.write('a.txt', 'a\n');
  await git.run(['add', 'a.txt']);
  expect(await commitAll(git, 'All')).toBe(true);
  // The file, its folder, the commit; and the ref.
  expect(countSyncs(trace)).toBeGreaterThanOrEqual(4);
});

/** A project with another repository in it, whose settings name a filter that leaves a trace. */
function createTrap({ isSubmodule }: { isSubmodule: boolean }) {
  const it = createProject();
  const inner = join(it.root, 'inner');
  mkdirSync(inner);
  const trace = join(it.root, '.git/ran');
  it.gitIn(inner, 'init', '-q');
  it.write('inner/x.txt', 'x\n');
  it.gitIn(inner, 'add', '-A');
  it.gitIn(inner, 'commit', '-qm', 'x');
  if (isSubmodule) {
    it.write('.gitmodules', '[submodule "in.ner"]\n\tpath = inner\n\turl = x\n\tignore = none\n');
  }
  it.git('add', '-A');
  it.git('commit', '-qm', 'inner');
  it.gitIn(inner, 'config', 'filter.q.clean', `sh -c 'echo ran >> ${trace}; cat'`);
  it.write('inner/.git/info/attributes', '* filter=q\n');
  // git compares the text of a file only if its time is not the one in the index.
  const arm = () => utimesSync(join(inner, 'x.txt'), 1, 1);
  arm();
  return Object.assign(it, { inner, arm, hasRun: () => existsSync(trace) });
}

test.each([true, false])(
  'git starts no filter of a repository inside, submodule: %s',
  async (is) => {
    using it = createTrap({ isSubmodule: is });
    const git = openPlainGit(it.root, it.env);
    expect(await listUncommitted(git)).toEqual([]);
    it.write('new.txt', 'new\n');
    expect(await commitAll(git, 'All')).toBe(true);
    it.write('inner/inner.txt', 'y\n');
    expect(await commitPath(git, 'inner', 'Nothing')).toBe(false);
    it.git('switch', '-q', '-c', 'side', 'HEAD~1');
    it.write('side.txt', 'side\n');
    await commitAll(git, 'Side');
    it.git('switch', '-q', 'main');
    it.arm();
    const outside = await keepOut(git);
    await outside.run(['merge', '-q', '--no-ff', '--no-commit', 'side']);
    await outside.run(['merge', '--abort']);
    it.write('new.txt', 'newer\n');
    await outside.run(['stash', 'create']);
    expect(it.hasRun()).toBe(false);
    // The trap works: git without these precautions falls into it.
    it.git('status', '--porcelain');
    expect(it.hasRun()).toBe(true);
  },
);

test('what changed inside another repository is told, and its commit is taken', async () => {
  using it = createTrap({ isSubmodule: false });
  const git = openPlainGit(it.root, it.env);
  it.write('inner/x.txt', 'changed\n');
  expect(await listUncommitted(git)).toEqual(['inner']);
  it.gitIn(it.inner, 'config', '--unset', 'filter.q.clean');
  it.gitIn(it.inner, 'commit', '-qam', 'changed');
  expect(await listUncommitted(git)).toEqual(['inner']);
  expect(await commitAll(git, 'All')).toBe(true);
  expect(it.git('rev-parse', 'HEAD:inner')).toBe(it.gitIn(it.inner, 'rev-parse', 'HEAD'));
  expect(await listUncommitted(git)).toEqual([]);
  rmSync(it.inner, { recursive: true });
  expect(await commitAll(git, 'Gone')).toBe(true);
  expect(it.git('ls-files', 'inner')).toBe('');
});

const LFS = `#!/bin/sh
command -v git-lfs >/dev/null 2>&1 || { printf >&2 "\\n%s\\n\\n" "'git-lfs' was not found; remove this hook (set by 'core.hookspath')."; exit 2; }
git lfs pre-push "$@"
`;

test.each([
  ['the hook of Git LFS', LFS, true],
  ['a hook that does more', `${LFS}sh check.sh\n`, false],
  ['a hook that hides a command', LFS.replace('remove', '$(evil)'), false],
  ['an empty hook', '#!/bin/sh\n', false],
])('%s is told from others', async (_, text, isLfs) => {
  using it = createProject();
  const hook = join(it.root, '.git/hooks/pre-push');
  writeFileSync(hook, text);
  chmodSync(hook, 0o755);
  expect(await pinPushHook(open(it))).toMatchObject({ path: hook, isLfs });
});

test.each([
  'error: unable to write loose object file: No space left on device\nfatal: failed to write commit',
  "fatal: sha1 file '/p/.git/index.lock' write error. Out of diskspace",
  'error: file write error: Disk quota exceeded',
])('a full disk is told as such: %s', (stderr) => {
  const end = { code: 128, signal: null, stdout: '', stderr };
  const result = { ...end, timedOut: false, wasStopped: false, isCut: false };
  expect(gitFailed('/p', ['commit'], result)).toMatchObject({
    code: 'disk-full',
    message: 'No space left for git to write in /p.',
    hint: expect.stringContaining('df /p'),
  });
});

test('what git prints is what was asked for, also if a person has signatures shown in every log', async () => {
  using it = createProject();
  const key = join(it.home, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const settings = [
    ['gpg.format', 'ssh'],
    ['user.signingKey', `${key}.pub`],
    ['commit.gpgSign', 'true'],
    ['log.showSignature', 'true'],
  ];
  for (const [name = '', value = ''] of settings) it.git('config', name, value);
  it.git('commit', '-q', '--allow-empty', '-m', 'Signed');
  expect(it.git('log', '-1', '--format=%s')).not.toBe('Signed\n');
  for (const args of [['log', '-1'], ['show'], ['log', '-1', '--first-parent']])
    expect(await open(it).run([...args, '--format=%s'])).toBe('Signed');
});
