import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { acquireLock } from '../processes/lock.ts';
import { buildPaths } from '../project/paths.ts';
import { ensureWorktree } from '../worker/prepare/ensure-worktree.ts';
import { moveOlderRecords } from './move-older-records.ts';

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** A repository with a second checkout, each with records as older versions left them. */
function createOlder() {
  const it = createProject();
  const linked = join(it.folder, 'linked');
  it.git('worktree', 'add', '-q', linked);
  put(join(it.root, '.saga/runs/sessions/one.json'), 'in main');
  put(join(it.root, '.saga/runs/messages/x/1.json'), 'a message');
  put(join(it.root, '.saga/runs/staging/a-1/committed'), '[]');
  put(join(linked, '.saga/runs/sessions/two.json'), 'in linked');
  const home = join(it.root, '.git/saga/runs');
  return { ...it, linked, home };
}

test('records that lie in checkouts are moved to the repository once, and none is lost', () => {
  using it = createOlder();
  put(join(it.linked, '.saga/runs/sessions/one.json'), 'also in linked');
  const paths = moveOlderRecords(buildPaths(it.linked));
  expect(paths.runs).toBe(it.home);
  const read = (path: string) => readFileSync(join(it.home, path), 'utf8');
  expect(read('messages/x/1.json')).toBe('a message');
  expect(read('sessions/two.json')).toBe('in linked');
  expect([read('sessions/one.json'), read('sessions/one.json.older')].toSorted()).toEqual([
    'also in linked',
    'in main',
  ]);
  // What is about to become a part of a checkout's plan stays there.
  expect(existsSync(join(it.root, '.saga/runs/staging/a-1/committed'))).toBe(true);
  expect(existsSync(join(it.linked, '.saga/runs'))).toBe(false);
  // Later, a branch may bring files of that name.
  put(join(it.root, '.saga/runs/sessions/forged.json'), '{}');
  expect(moveOlderRecords(buildPaths(it.root)).runs).toBe(it.home);
  expect(existsSync(join(it.home, 'sessions/forged.json'))).toBe(false);
});

test('a move that was cut off is finished', () => {
  using it = createOlder();
  put(`${it.home}.moving/sessions/zero.json`, 'moved before');
  expect(moveOlderRecords(buildPaths(it.root)).runs).toBe(it.home);
  expect(readFileSync(join(it.home, 'sessions/zero.json'), 'utf8')).toBe('moved before');
  expect(existsSync(`${it.home}.moving`)).toBe(false);
});

test('while a worker of an older version lives, its place counts for every checkout', async () => {
  using it = createOlder();
  const lock = join(it.linked, '.saga/runs/locks/worker-x');
  const { release } = await acquireLock(lock);
  for (const root of [it.root, it.linked]) {
    const paths = moveOlderRecords(buildPaths(root));
    expect(paths.runs).toBe(join(it.linked, '.saga/runs'));
    expect(existsSync(join(paths.sessions, 'one.json'))).toBe(true);
  }
  expect(existsSync(lock)).toBe(true);
  release();
  expect(moveOlderRecords(buildPaths(it.root)).runs).toBe(it.home);
  expect(existsSync(join(it.home, 'sessions/two.json'))).toBe(true);
});

test('nothing is taken from the worktree of a story, where a run may have put it, nor through a link', async () => {
  using it = createProject();
  it.story('x');
  const { folder } = await ensureWorktree(it.worker());
  put(join(folder, '.saga/runs/sessions/forged.json'), '{}');
  put(join(it.folder, 'outside/sessions/one.json'), '{}');
  symlinkSync(join(it.folder, 'outside'), join(it.root, '.saga/runs'));
  const paths = moveOlderRecords(buildPaths(it.root));
  expect(existsSync(join(paths.runs, 'sessions'))).toBe(false);
  expect(existsSync(join(it.folder, 'outside/sessions/one.json'))).toBe(true);
});
