import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Config } from '@saga-ai/types/config';
import { afterEach, test as anyTest, beforeEach, describe, expect } from 'vitest';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { findSandboxRefusal } from '../../../../test/rig/worker/find-sandbox-refusal.ts';
import { openGit } from '../git/git.ts';
import type { Worktree } from '../git/worktree.ts';
import { describeSurroundings } from '../scope/surroundings.ts';
import {
  createEnclosure,
  type EnclosureRequest,
  enclosureFolder,
  quarantineOf,
} from './enclosure.ts';
import { findBubblewrap } from './find-bubblewrap.ts';
import { listSockets, parseSocketTable } from './foreign-sockets.ts';
import { takeOver } from './git-quarantine.ts';

const refused = await findSandboxRefusal();
const test = anyTest.skipIf(refused !== undefined);

let project: Project;
let worktree: Worktree;
let bubblewrap: string;

beforeEach(async () => {
  if (refused !== undefined) return;
  const found = await findBubblewrap({ PATH: process.env.PATH });
  if (!('path' in found)) throw new Error(`${found.missing}: ${found.remedy}`);
  bubblewrap = found.path;
  project = createProject();
  const folder = join(project.worktrees, 'x');
  project.git('worktree', 'add', '-q', '-b', 'story/x', folder);
  worktree = {
    folder,
    branch: 'story/x',
    base: { branch: 'main', remote: 'origin', commit: tipOf('main') },
    git: openGit(folder, project.env),
    gitFolder: join(project.root, '.git/worktrees/x'),
  } as Worktree;
});

afterEach(() => project?.[Symbol.dispose]());

const tipOf = (ref: string) => project.git('rev-parse', ref).trim();

/** Runs a command behind the walls and returns its output. */
async function inside(
  command: string,
  sandbox: object = {},
  runId = 'run-1',
  programs: readonly string[] = ['/bin/sh'],
): Promise<string> {
  const { program, args, env } = await createEnclosure({
    ...describeRequest(sandbox),
    runId,
    programs,
  });
  const options = { env: { ...env }, encoding: 'utf8' } as const;
  return execFileSync(program, [...args, 'sh', '-ec', command], options);
}

function describeRequest(sandbox: object): EnclosureRequest {
  return {
    bubblewrap,
    runId: 'run-1',
    worktree,
    projectFolder: project.root,
    cacheFolder: project.paths.cache,
    surroundings: describeSurroundings(Config.parse({ sandbox }).sandbox, project.home, []),
    programs: ['/bin/sh'],
    env: project.env,
  };
}

let walls = 0;
/** The arguments of bubblewrap, without starting it. */
async function insideArguments(sandbox: object, checkout?: string): Promise<string[]> {
  const more = { runId: `walls-${++walls}`, ...(checkout === undefined ? {} : { checkout }) };
  return (await createEnclosure({ ...describeRequest(sandbox), ...more })).args;
}

const leave = (runId = 'run-1') =>
  takeOver(worktree, quarantineOf(worktree, runId), runId, project.env);

/** Makes an empty commit on top of a branch, as somebody else's git would, and returns its id. */
const commitOn = (branch: string, message: string) =>
  project.git('commit-tree', `${branch}^{tree}`, '-p', branch, '-m', message).trim();

/** Everything of git's folder but objects and the story's own branch and worktree. */
function describeGit(): Record<string, string> {
  const folder = join(project.root, '.git');
  const isOurs = /^(objects|worktrees|saga)|refs\/heads\/story|refs\/saga|story\/x$/;
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((name) => !isOurs.test(name));
  return Object.fromEntries(
    names.sort().map((it) => [it, readFileSync(join(folder, it), 'latin1')]),
  );
}

describe('honest git', () => {
  test('what other workers moved, merged and removed meanwhile is not work of this run', async () => {
    for (const name of ['story/busy', 'story/landed']) {
      project.git('branch', name);
      project.git('update-ref', `refs/heads/${name}`, commitOn(name, `${name} 1`));
    }
    await inside('git switch -qc aside; git commit -qm aside --allow-empty; git switch -q story/x');
    project.git('update-ref', 'refs/heads/story/busy', commitOn('story/busy', 'story/busy 2'));
    project.git('update-ref', 'refs/saga/trash/landed/1', 'story/landed');
    project.git('branch', '-qD', 'story/landed');
    const { left } = await leave();
    expect(left.map((it) => it.name)).toEqual(['aside']);
    const refs = project.git('for-each-ref', '--format=%(refname)', 'refs/saga/trash/runs');
    expect(refs).toBe('refs/saga/trash/runs/x/run-1/heads/aside\n');
  });

  test('commits of the story’s branch are taken over, and the index with them', async () => {
    await inside('echo 1 > a.txt; git add a.txt; git commit -qm one; echo 2 > b.txt');
    expect(await leave()).toMatchObject({ left: [] });
    expect(project.git('log', '--format=%s', '-1', 'story/x')).toBe('one\n');
    expect(project.gitIn(worktree.folder, 'status', '--short')).toBe('?? b.txt\n');
    expect(project.gitIn(worktree.folder, 'symbolic-ref', 'HEAD')).toBe('refs/heads/story/x\n');
    expect(project.git('fsck', '--strict')).toBe('');
  });

  test('stash, branch, tag, rebase, fetch and gc work', async () => {
    await inside(
      [
        'echo 1 > a.txt; git add a.txt; git commit -qm one',
        'echo 2 > a.txt; git stash -q; git stash pop -q; git commit -qam two',
        'git switch -qc try; git switch -q story/x; git tag v1; git fetch -q origin',
        'git rebase -q origin/main; git gc -q --prune=now; git config user.nickname x',
      ].join('\n'),
    );
    await leave();
    expect(project.git('log', '--format=%s', 'main..story/x')).toBe('two\none\n');
  });

  test('a submodule that is checked out inside is there outside, and in the next command', async () => {
    const source = join(project.folder, 'source');
    project.gitIn(project.folder, 'init', '-q', source);
    project.gitIn(source, 'commit', '-q', '--allow-empty', '-m', 'of the module');
    const allow = ['-c', 'protocol.file.allow=always'];
    project.gitIn(worktree.folder, ...allow, 'submodule', '--quiet', 'add', source, 'm');
    project.gitIn(worktree.folder, 'commit', '-qm', 'A module');
    project.gitIn(worktree.folder, 'submodule', '--quiet', 'deinit', '-f', 'm');
    rmSync(join(worktree.gitFolder, 'modules'), { recursive: true });
    const update = `git ${allow.join(' ')} submodule --quiet update --init`;
    await inside(update, { allow: [source] });
    await leave();
    expect(project.gitIn(worktree.folder, 'status', '--short')).toBe('');
    expect(await inside('git -C m log --format=%s', {}, 'run-2')).toBe('of the module\n');
  });

  test('other branches and stashes that hold work of their own are kept and named', async () => {
    await inside(
      'git switch -qc try; echo 1 > a.txt; git add -A; git commit -qm tried; git switch -q story/x; echo 2 > b.txt; git add -A; git stash -q',
    );
    const { left } = await leave();
    expect(left.map(({ name }) => name).sort()).toEqual(['stash', 'try']);
    const [, kept] = left.sort((a, b) => a.name.localeCompare(b.name));
    expect(project.git('show', `${kept?.ref}:a.txt`)).toBe('1\n');
    expect(project.git('branch', '--list', 'try')).toBe('');
  });

  test('a run that ends beside its branch is left there, for the worktree to be reclaimed', async () => {
    await inside('git switch -q --detach; echo 1 > a.txt; git add -A; git commit -qm beside');
    await leave();
    expect(project.gitIn(worktree.folder, 'log', '--format=%s', '-1', 'HEAD')).toBe('beside\n');
    expect(tipOf('story/x')).toBe(tipOf('main'));
  });
});

test('files of Git LFS are taken over if their content has their name', async () => {
  const name = (text: string) => createHash('sha256').update(text).digest('hex');
  const [mine, forged] = [name('mine\n'), name('other')];
  const at = (it: string) => `lfs/objects/${it.slice(0, 2)}/${it.slice(2, 4)}/${it}`;
  const write = (it: string) =>
    `mkdir -p "$D/$(dirname ${at(it)})"; echo mine > "$D/${at(it)}"; git commit -q --allow-empty -m one`;
  await inside(`D=$(git rev-parse --git-common-dir); ${write(mine)}; ${write(forged)}`);
  await leave();
  const shared = join(project.root, '.git');
  expect(readFileSync(join(shared, at(mine)), 'utf8')).toBe('mine\n');
  expect(existsSync(join(shared, at(forged)))).toBe(false);
  expect(await inside(`cat /run/saga/git/${at(mine)}`, {}, 'run-2')).toBe('mine\n');
});

describe('what a run plants', () => {
  test('nothing of git’s folder changes but the story’s branch', async () => {
    project.git('branch', 'story/other');
    const before = describeGit();
    await inside(
      [
        'G=$(git rev-parse --git-common-dir)',
        'git config core.fsmonitor "touch $HOME/ran"; git config core.hooksPath /tmp; git remote set-url origin /tmp',
        'mkdir -p $G/hooks; printf "#!/bin/sh\\ntouch $HOME/ran\\n" > $G/hooks/post-commit; chmod +x $G/hooks/post-commit',
        'echo "*" > $G/info/exclude; echo "* filter=x" > $G/info/attributes; git update-ref refs/heads/main HEAD',
        'echo 1 > a.txt; git add -f a.txt; git -c core.hooksPath=/dev/null commit -qm one',
        'git update-ref refs/heads/story/other HEAD; git update-ref refs/remotes/origin/main HEAD; git replace HEAD~1 HEAD',
      ].join('\n'),
    );
    await leave();
    expect(describeGit()).toEqual(before);
    expect(project.git('replace', '--list')).toBe('');
    expect(project.git('log', '--format=%s', '-1', 'story/x')).toBe('one\n');
    expect(existsSync(join(project.home, 'ran'))).toBe(false);
  });

  test('links, pipes and settings in the quarantine are never followed', async () => {
    await inside(
      [
        'G=$(git rev-parse --git-common-dir)',
        'echo 1 > a.txt; git add a.txt; git commit -qm one',
        'rm $G/config; mkfifo $G/config; mkfifo $G/shallow; ln -s /etc $G/info/alternates',
        'rm -rf $G/hooks; ln -s /etc $G/hooks; echo /etc > $G/objects/info/alternates; echo nonsense > $G/HEAD',
      ].join('\n'),
    );
    await leave();
    expect(project.git('log', '--format=%s', '-1', 'story/x')).toBe('one\n');
  });

  test('a broken history is refused, and stays where it can be looked at', async () => {
    await inside(
      [
        'G=$(git rev-parse --git-common-dir)',
        'T=$(printf "tree %s\\nauthor a <a@b> 1 +0000\\ncommitter a 1 +0000\\n\\nx" $(git rev-parse HEAD^{tree}) | git hash-object -t commit --literally -w --stdin)',
        'echo $T > $G/refs/heads/story/x 2>/dev/null || git update-ref refs/heads/story/x $T',
      ].join('\n'),
    );
    const before = tipOf('story/x');
    await expect(leave()).rejects.toMatchObject({ code: 'git-failed' });
    expect(tipOf('story/x')).toBe(before);
    expect(existsSync(quarantineOf(worktree, 'run-1'))).toBe(true);
  });
});

describe('the rest of the machine', () => {
  test('the home folder, the main checkout, other worktrees and /tmp are out of reach', async () => {
    writeFileSync(join(project.home, '.profile'), 'mine\n');
    const said = await inside(
      [
        'w() { (echo x > "$1") 2>/dev/null && echo "wrote $2" || echo "refused $2"; }',
        'w "$HOME/.profile" profile; w "$HOME/new" new; w /tmp/saga-planted tmp; w /etc/saga-planted etc',
        `w "${project.root}/README.md" main; w "${worktree.folder}/.git" link; w inside.txt worktree`,
      ].join('\n'),
    );
    expect(said.trim().split('\n')).toEqual([
      'refused profile',
      'wrote new',
      'wrote tmp',
      'refused etc',
      'refused main',
      'refused link',
      'wrote worktree',
    ]);
    expect(readdirSync(project.home)).not.toContain('new');
    expect(existsSync('/tmp/saga-planted')).toBe(false);
  });

  test('secrets are empty; what the settings allow is open; caches are private', async () => {
    mkdirSync(join(project.home, '.ssh'));
    writeFileSync(join(project.home, '.ssh/id_rsa'), 'key\n');
    writeFileSync(join(project.home, '.netrc'), 'password\n');
    mkdirSync(join(project.home, '.npm'));
    writeFileSync(join(project.home, '.npm/of-the-person'), '');
    const shared = join(project.folder, 'shared');
    mkdirSync(shared);
    const said = await inside(
      'ls -A ~/.ssh; cat ~/.netrc; ls ~/.npm; echo x > ~/.npm/mine; echo x > "$SHARED/y"'.replace(
        '$SHARED',
        shared,
      ),
      { allow: [shared] },
    );
    expect(said).toBe('');
    expect(existsSync(join(shared, 'y'))).toBe(true);
    expect(readdirSync(join(project.home, '.npm'))).toEqual(['of-the-person']);
    expect(await inside('ls ~/.npm', {}, 'run-2')).toBe('mine\n');
  });

  test('secrets that lie elsewhere, with links in their place, are empty under every name', async () => {
    const { home } = project;
    const write = (path: string) => {
      mkdirSync(join(home, path, '..'), { recursive: true });
      writeFileSync(join(home, path), 'CANARY\n');
    };
    for (const it of ['other', 'aws/credentials', 'netrc', 'kube/config']) write(`dotfiles/${it}`);
    symlinkSync('dotfiles', join(home, 'alias'));
    symlinkSync('alias/aws', join(home, '.aws'));
    symlinkSync('dotfiles/netrc', join(home, '.netrc'));
    mkdirSync(join(home, '.kube'));
    symlinkSync('../dotfiles/kube/config', join(home, '.kube/config'));
    symlinkSync('.gnupg', join(home, '.gnupg'));
    const said = await inside('cd; grep -rs CANARY .aws/. .netrc .kube/. alias/. dotfiles; true');
    expect(said).toBe('alias/./other:CANARY\ndotfiles/other:CANARY\n');
  });

  test('a folder that is a link is private too', async () => {
    mkdirSync(join(project.home, 'dotfiles/config'), { recursive: true });
    symlinkSync('dotfiles/config', join(project.home, '.config'));
    expect(await inside('cd; echo x > .config/new; cat dotfiles/config/new')).toBe('x\n');
    expect(readdirSync(join(project.home, 'dotfiles/config'))).toEqual([]);
  });

  test('a file that must not look empty cannot be opened; what only root reads is empty for root, too', async () => {
    const file = join(project.root, '.env');
    writeFileSync(file, 'CANARY\n');
    const { program, args, env } = await createEnclosure({
      ...describeRequest({}),
      denied: [file],
    });
    const ask = `cat ${file} 2>&1; cat /etc/shadow 2> /dev/null; cat /root/.[bp]*rc 2> /dev/null; true`;
    const said = execFileSync(program, [...args, 'sh', '-c', ask], { env: { ...env } });
    expect(`${said}`).toBe(`cat: ${file}: Permission denied\n`);
  });

  test('a program that is a link to a link can be started', async () => {
    for (const name of ['first', 'second', 'third']) mkdirSync(join(project.folder, name));
    const path = (name: string) => join(project.folder, name, 'tool');
    writeFileSync(path('third'), '#!/bin/sh\necho started\n', { mode: 0o755 });
    symlinkSync(path('third'), path('second'));
    symlinkSync('../second/tool', path('first'));
    expect(await inside(path('first'), {}, 'run-1', [path('first')])).toBe('started\n');
  });

  test('other processes cannot be seen, and no right over the system is left', async () => {
    const said = await inside(
      'ls /proc | grep -c "^[0-9]*$"; mount -t tmpfs none /mnt 2>/dev/null && echo mounted; env | grep -c TMUX || true',
    );
    expect(Number(said.split('\n')[0])).toBeLessThan(6);
    expect(said).not.toContain('mounted');
  });
});

test('a quarantine that was taken over already is no error', async () => {
  await inside('git commit -q --allow-empty -m one');
  await leave();
  expect(await leave()).toEqual({ left: [], hasFetched: false });
  expect(existsSync(enclosureFolder(worktree, 'run-1'))).toBe(true);
});

describe('what runs share with others', () => {
  test('a socket of another program cannot be used, unless it is allowed', async () => {
    const folder = join(project.home, '.tool');
    mkdirSync(folder);
    const path = join(folder, 'a.sock');
    // By way of a link, as programs listen in /var/run.
    symlinkSync(folder, join(project.folder, 'link'));
    const server = createServer((socket) => socket.end('REACHED'));
    server.listen(join(project.folder, 'link/a.sock'));
    await once(server, 'listening');
    try {
      const ask = `"${process.execPath}" -e 'require("net").connect("${path}").on("error",e=>console.log(e.code)).pipe(process.stdout)'`;
      const programs = ['/bin/sh', process.execPath];
      expect(listSockets()).toContain(path);
      expect(await inside(ask, {}, 'run-1', programs)).toContain('ECONNREFUSED');
      // Answered here, so this process must not wait for the command.
      const walls = (await insideArguments({ allow: [path] })).join(' ');
      expect(walls).toContain(`--bind ${path} ${path}`);
      expect(walls).not.toMatch(new RegExp(`--ro-bind \\S+/empty ${path}`));
    } finally {
      server.close();
    }
  });

  test('clean checkouts have caches of their own', async () => {
    const checkout = join(project.worktrees, 'clean.1');
    mkdirSync(checkout);
    const cachesOf = (args: string[]) => args.filter((it) => /\/sandbox(-clean)?\/\.npm$/.test(it));
    const run = cachesOf(await insideArguments({}));
    const clean = cachesOf(await insideArguments({}, checkout));
    expect([run.length, clean.length]).toEqual([1, 1]);
    expect(run).not.toEqual(clean);
  });
});

test('sockets without a file, and lines that are none, are left out', () => {
  const table = [
    'Num       RefCount Protocol Flags    Type St Inode Path',
    '0000000000000000: 00000002 00000000 00010000 0001 01 26 /run/a b.sock',
    '0000000000000000: 00000002 00000000 00010000 0001 01 27 @abstract',
    '0000000000000000: 00000003 00000000 00000000 0001 03 28',
  ].join('\n');
  expect(parseSocketTable(table)).toEqual(['/run/a b.sock']);
});
