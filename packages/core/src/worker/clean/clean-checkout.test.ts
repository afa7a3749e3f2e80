import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../../test/rig/project/project.ts';
import { commitAll } from '../../../../../test/rig/project/repository.ts';
import { ensureWorktree } from '../prepare/ensure-worktree.ts';
import { openCleanCheckout } from './clean-checkout.ts';
import { sweepCleanPlaces } from './clean-places.ts';

const SETUP = 'mkdir -p node_modules/a && cp *.cfg node_modules/a/';

async function createPrepared(setup: string | null = SETUP) {
  const it = createProject();
  it.write('tool.cfg', '1\n');
  it.write('.gitignore', 'node_modules\n.env\n');
  commitAll(it.gitIn, it.root, 'Ignore');
  it.git('push', '-q');
  it.story('x');
  const worker = it.worker({ worktree: { setup } });
  const worktree = await ensureWorktree(worker);
  const commit = (path: string, text: string) => {
    mkdirSync(dirname(join(worktree.folder, path)), { recursive: true });
    writeFileSync(join(worktree.folder, path), text);
    commitAll(it.gitIn, worktree.folder, `Write ${path}`);
  };
  commit('src/a.js', 'a\n');
  const open = () =>
    openCleanCheckout(worker, worktree, it.gitIn(worktree.folder, 'rev-parse', 'HEAD').trim());
  return Object.assign(it, { worktree, commit, open });
}

test('it holds the commit and what setup makes, and git works in it', async () => {
  using it = await createPrepared();
  it.write('.worktreeinclude', '.env\n');
  it.write('.env', 'KEY=1\n');
  writeFileSync(join(it.worktree.folder, 'stray.txt'), 'x\n');
  const checkout = await it.open();
  expect(checkout.folder).toBe(join(it.worktrees, 'clean.1'));
  expect(readdirSync(checkout.folder).toSorted()).toEqual([
    '.env',
    '.git',
    '.gitignore',
    '.saga',
    'README.md',
    'node_modules',
    'src',
    'tool.cfg',
  ]);
  expect(it.gitIn(checkout.folder, 'status', '--porcelain')).toBe('');
  expect(it.gitIn(checkout.folder, 'log', '-1', '--format=%s %D')).toContain(
    'Write src/a.js HEAD -> story/x',
  );
  expect(it.gitIn(checkout.folder, 'remote', 'get-url', 'origin')).toBe(`${it.origin}\n`);
  expect(await checkout.listChanged()).toEqual([]);
  checkout.close();
});

test('a checkout is gone when it is closed, and nothing of it is in the next one', async () => {
  using it = await createPrepared();
  const first = await it.open();
  writeFileSync(join(first.folder, 'node_modules/a/tool.cfg'), 'left\n');
  writeFileSync(join(first.folder, 'node_modules/left'), 'left\n');
  writeFileSync(join(first.folder, 'README.md'), 'changed\n');
  mkdirSync(join(first.folder, 'coverage/deep'), { recursive: true });
  it.gitIn(first.folder, 'config', 'core.fsmonitor', 'touch "$HOME/planted"');
  expect(await first.listChanged()).toEqual(['README.md']);
  first.close();
  expect(readdirSync(it.worktrees)).toEqual(['x']);
  it.commit('tool.cfg', '2\n');
  const second = await it.open();
  expect(second.folder).toBe(first.folder);
  expect(readFileSync(join(second.folder, 'README.md'), 'utf8')).toBe('# Widgets\n');
  expect(existsSync(join(second.folder, 'coverage'))).toBe(false);
  expect(readdirSync(join(second.folder, 'node_modules'))).toEqual(['a']);
  expect(readFileSync(join(second.folder, 'node_modules/a/tool.cfg'), 'utf8')).toBe('2\n');
  second.close();
  expect(existsSync(join(it.home, 'planted'))).toBe(false);
});

test('two gates at the same time have two checkouts; a folder of someone else is left alone', async () => {
  using it = await createPrepared(null);
  mkdirSync(join(it.worktrees, 'clean.2'));
  writeFileSync(join(it.worktrees, 'clean.2/mine'), '');
  const [one, two] = [await it.open(), await it.open()];
  expect([one.folder, two.folder]).toEqual([
    join(it.worktrees, 'clean.1'),
    join(it.worktrees, 'clean.3'),
  ]);
  one.close();
  two.close();
  expect(readdirSync(it.worktrees).toSorted()).toEqual(['clean.2', 'x']);
});

test('the checkout of a killed worker is thrown away, by the next worker or the next gate', async () => {
  using it = await createPrepared();
  const leave = async () => {
    const { folder } = await it.open();
    writeFileSync(join(folder, 'node_modules/a/half'), '');
    return folder;
  };
  const folder = await leave();
  await sweepCleanPlaces(it.paths);
  expect(existsSync(folder)).toBe(true);
  // As after a kill: the lock has no owner.
  const kill = () => rmSync(join(it.paths.locks, 'clean-1'), { recursive: true });
  kill();
  await sweepCleanPlaces(it.paths);
  expect(existsSync(folder)).toBe(false);
  await leave();
  kill();
  const next = await it.open();
  expect(next.folder).toBe(folder);
  expect(readdirSync(join(folder, 'node_modules/a'))).toEqual(['tool.cfg']);
  next.close();
});
