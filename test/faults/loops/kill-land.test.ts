import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram, SAGA } from '../../rig/programs/run-program.ts';
import { createCheckedStory } from '../../rig/project/checked-story.ts';
import { createProject, type Project } from '../../rig/project/project.ts';
import { commitAll } from '../../rig/project/repository.ts';

/** Puts a git in front of the real one that kills whoever calls it for the n-th time. */
function createDeadlyGit(it: Project) {
  const folder = join(it.folder, 'deadly');
  const counter = join(it.folder, 'calls');
  const real = execFileSync('sh', ['-c', 'command -v git'], {
    env: it.env,
    encoding: 'utf8',
  }).trim();
  mkdirSync(folder);
  const script = `#!/bin/sh
n=$(($(wc -l < ${counter}) + 1))
echo "$*" >> ${counter}
[ "$n" = "$SAGA_TEST_KILL" ] && kill -9 $PPID
exec ${real} "$@"
`;
  writeFileSync(join(folder, 'git'), script);
  chmodSync(join(folder, 'git'), 0o755);
  return {
    path: `${folder}:${it.env.PATH}`,
    reset: () => writeFileSync(counter, ''),
    calls: () => readFileSync(counter, 'utf8').split('\n').filter(Boolean),
  };
}

/** Lands one story in a project of its own, killed at the n-th call of git, and then again until it is done. */
async function landKilled(at: number | undefined, remote: 'origin' | null) {
  using it = createProject({ remote });
  it.write('.saga/config.json', { gate: { verify: 'test -f cart.txt' } });
  const { worktree } = await createCheckedStory(it, 'cart');
  const tip = it.git('rev-parse', 'story/cart').trim();
  it.write('other.txt', 'other\n');
  commitAll(it.gitIn, it.root, 'Other');
  if (remote) it.git('push', '-q', 'origin', 'main');
  it.write('draft.txt', 'not committed\n');
  const before = it.git('rev-parse', 'main').trim();
  const git = createDeadlyGit(it);
  git.reset();
  const env = { ...it.env, SAGA_SESSION_DIR: join(it.folder, 'sessions') };
  const args = ['land', 'cart', '--yes', '--local'];
  const kill: Record<string, string> = at === undefined ? {} : { SAGA_TEST_KILL: String(at) };
  const first = await runProgram(SAGA, args, {
    cwd: it.root,
    env: { ...env, ...kill, PATH: git.path },
  });
  const calls = git.calls();
  // A killed git may leave its lock; git's own hint is to remove it.
  rmSync(join(it.root, '.git/index.lock'), { force: true });
  const again = await runProgram(SAGA, args, { cwd: it.root, env });
  const home = remote ? it.origin : it.root;
  const merges = it.gitIn(home, 'rev-list', '--merges', `${before}..main`).split('\n');
  const kept = it.git('for-each-ref', '--contains', tip, 'refs/saga/trash/cart');
  return {
    calls: calls.length,
    wasKilled: first.code === null,
    result: {
      again: `${again.code} ${again.stderr}`,
      merges: merges.filter(Boolean).length,
      isInHere: it.gitIn(it.root, 'branch', '--contains', tip, '--list', 'main').trim() !== '',
      worktree: existsSync(worktree),
      branch: it.git('branch', '--list', 'story/cart').trim(),
      isKept: kept !== '',
      litter: readdirSync(it.worktrees).join(),
      draft: it.read('draft.txt'),
    },
  };
}

const WHOLE = {
  again: '0 ',
  merges: 1,
  isInHere: true,
  worktree: false,
  branch: '',
  isKept: true,
  litter: '',
  draft: 'not committed\n',
};

test.each([['origin'], [null]] as const)(
  'saga land, killed at any call of git and repeated, merges once and loses nothing (remote: %s)',
  async (remote) => {
    const { calls, result } = await landKilled(undefined, remote);
    expect(result).toEqual(WHOLE);
    expect(calls).toBeGreaterThan(10);
    let killed = 0;
    // The last calls are those that change something.
    const moments = [5, ...Array.from({ length: 6 }, (_, i) => calls - 1 - 2 * i)];
    for (const at of moments) {
      const { result: found, wasKilled } = await landKilled(at, remote);
      if (wasKilled) killed += 1;
      expect(found, `killed at call ${at} of ${calls}`).toEqual(WHOLE);
    }
    expect(killed).toBeGreaterThan(moments.length / 2);
  },
  900_000,
);
