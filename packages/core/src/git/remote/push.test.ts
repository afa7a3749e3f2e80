import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../../test/rig/project/project.ts';
import { openGit } from '../git.ts';
import { type Push, pushBranch, trackPushed } from './push.ts';

const PUSH: Push = { remote: 'origin', branch: 'work' };

/** The branch `work` is here and on the remote, and has a new commit here. */
function createAhead() {
  const it = createProject();
  it.git('switch', '-q', '-c', 'work');
  it.git('push', '-q', 'origin', 'work');
  const before = it.git('rev-parse', 'HEAD').trim();
  it.git('commit', '-q', '--allow-empty', '-m', 'Ours');
  return Object.assign(it, { before, tip: it.git('rev-parse', 'HEAD').trim() });
}

const shown = (it: Project, branch = 'work') => it.gitIn(it.origin, 'rev-parse', branch).trim();

/** Somebody else pushes. Returns their commit, which this repository does not have. */
function pushTheirs(it: Project): string {
  const clone = join(it.folder, 'clone');
  it.gitIn(it.folder, 'clone', '-q', '-b', 'work', it.origin, clone);
  it.gitIn(clone, 'commit', '-q', '--allow-empty', '-m', 'Theirs');
  it.gitIn(clone, 'push', '-q');
  return shown(it);
}

function addHook(folder: string, name: string, text: string): void {
  mkdirSync(join(folder, 'hooks'), { recursive: true });
  writeFileSync(join(folder, 'hooks', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

/** What git says differs by version; what is made of it does not. */
const CASES: Record<string, [arrange: (it: Project) => Partial<Push>, kind: string, RegExp]> = {
  'a branch with commits that nobody fetched': [
    (it) => {
      pushTheirs(it);
      return {};
    },
    'moved',
    /fetch first/,
  ],
  'a branch with commits that were fetched': [
    (it) => {
      pushTheirs(it);
      it.git('fetch', '-q');
      return {};
    },
    'moved',
    /non-fast-forward/,
  ],
  'a branch with new commits, for a person who has colours on always': [
    (it) => {
      for (const what of ['ui', 'push', 'transport']) it.git('config', `color.${what}`, 'always');
      pushTheirs(it);
      return {};
    },
    'moved',
    /fetch first/,
  ],
  'a branch that is not where it was seen': [
    (it) => {
      const commit = it.git('rev-parse', 'HEAD~1').trim();
      pushTheirs(it);
      return { onlyIfAt: { commit } };
    },
    'moved',
    /stale info/,
  ],
  'a branch that somebody created': [
    () => ({ onlyIfAt: { commit: undefined } }),
    'moved',
    /stale info/,
  ],
  'a branch that somebody is just moving': [
    (it) => {
      writeFileSync(join(it.origin, 'refs/heads/work.lock'), '');
      return {};
    },
    'moved',
    /cannot lock ref|failed to update ref/,
  ],
  'a branch below the name of another one': [
    () => ({ branch: 'work/more', commit: 'HEAD' }),
    'refused',
    /^origin refuses work\/more \(.*\)/,
  ],
  'a hook of the remote that refuses': [
    (it) => {
      addHook(it.origin, 'pre-receive', 'echo "Only on Mondays." >&2\nexit 1');
      return {};
    },
    'refused',
    /^origin refuses work \(pre-receive hook declined\): Only on Mondays\.$/,
  ],
  'a remote that is not there': [
    (it) => ({ urls: [join(it.folder, 'nowhere.git')] }),
    'away',
    /nowhere\.git' does not appear to be a git repository/,
  ],
  'a hook of the project that refuses': [
    (it) => {
      addHook(join(it.root, '.git'), 'pre-push', 'echo "Not like this." >&2\nexit 1');
      return { withHook: true };
    },
    'away',
    /Not like this\./,
  ],
};

test.each(Object.entries(CASES))('%s', async (_, [arrange, kind, words]) => {
  using it = createAhead();
  const push = { ...PUSH, ...arrange(it) };
  const there = shown(it);
  expect(await pushBranch(openGit(it.root, it.env), push)).toEqual({
    kind,
    words: expect.stringMatching(words),
  });
  expect(shown(it)).toBe(there);
});

test('a branch goes to each address, past the hooks of the project; its commit may be named', async () => {
  using it = createAhead();
  addHook(join(it.root, '.git'), 'pre-push', 'exit 1');
  const second = join(it.folder, 'second.git');
  it.gitIn(it.folder, 'clone', '-q', '--bare', it.origin, second);
  const git = openGit(it.root, it.env);
  const urls = [it.origin, second];
  const onlyIfAt = { commit: it.before };
  expect(await pushBranch(git, { ...PUSH, urls, onlyIfAt })).toEqual({ kind: 'done' });
  expect(urls.map((url) => it.gitIn(url, 'rev-parse', 'work').trim())).toEqual([it.tip, it.tip]);
  const named = { ...PUSH, branch: 'other', commit: it.before };
  expect(await pushBranch(git, named)).toEqual({ kind: 'done' });
  expect(shown(it, 'other')).toBe(it.before);
});

test('what was pushed is noted, unless something else was noted meanwhile', async () => {
  using it = createAhead();
  const git = openGit(it.root, it.env);
  const noted = () => git.resolve('refs/remotes/origin/work');
  await trackPushed(git, PUSH, it.tip, it.tip);
  expect(await noted()).toBe(it.before);
  await trackPushed(git, PUSH, it.tip, it.before);
  expect(await noted()).toBe(it.tip);
  await trackPushed(git, PUSH, it.before);
  expect(await noted()).toBe(it.before);
});
