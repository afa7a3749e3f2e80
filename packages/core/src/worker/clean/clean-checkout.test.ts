import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../../test/rig/project/project.ts';
import { ensureWorktree } from '../prepare/ensure-worktree.ts';
import { openCleanCheckout } from './clean-checkout.ts';
import { sweepCleanPlaces } from './clean-places.ts';

/** Counts how often it runs, outside of every checkout, and installs two packages. */
const SETUP =
  'echo x >> "$HOME/setups"; mkdir -p node_modules/a node_modules/b; cp *.cfg node_modules/a/; echo b > node_modules/b/index.js';

async function createPrepared(setup: string | null = SETUP) {
  const it = createProject();
  it.write('tool.cfg', '1\n');
  it.write('package-lock.json', '{}\n');
  it.write('.gitignore', 'node_modules\n.env\n');
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Lock');
  it.git('push', '-q');
  it.story('x');
  const worker = it.worker({ worktree: { setup } });
  const worktree = await ensureWorktree(worker);
  const commit = async (path: string, text: string) => {
    mkdirSync(dirname(join(worktree.folder, path)), { recursive: true });
    writeFileSync(join(worktree.folder, path), text);
    await worktree.git.run(['add', '-A']);
    await worktree.git.run(['commit', '-q', '-m', `Write ${path}`]);
  };
  await commit('src/a.js', 'a\n');
  const open = async () => {
    const [base = '', head = ''] = it
      .gitIn(worktree.folder, 'rev-parse', 'main', 'HEAD')
      .split('\n');
    return openCleanCheckout(worker, worktree, { base, head });
  };
  const setups = () => {
    const file = join(it.home, 'setups');
    return existsSync(file) ? readFileSync(file, 'utf8').length / 2 : 0;
  };
  return Object.assign(it, { worktree, commit, open, setups });
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
    'package-lock.json',
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

test('setup is run once for the same lock files, and what a command left is gone', async () => {
  using it = await createPrepared();
  const first = await it.open();
  const before = it.setups();
  writeFileSync(join(first.folder, 'node_modules/b/.cache'), 'left\n');
  writeFileSync(join(first.folder, 'README.md'), 'changed\n');
  mkdirSync(join(first.folder, 'coverage/deep'), { recursive: true });
  it.gitIn(first.folder, 'config', 'core.fsmonitor', 'touch "$HOME/planted"');
  expect(await first.listChanged()).toEqual(['README.md']);
  first.close();
  await it.commit('src/b.js', 'b\n');
  const second = await it.open();
  expect(second.folder).toBe(first.folder);
  expect(it.setups()).toBe(before);
  expect(readFileSync(join(second.folder, 'README.md'), 'utf8')).toBe('# Widgets\n');
  expect(existsSync(join(second.folder, 'src/b.js'))).toBe(true);
  expect(existsSync(join(second.folder, 'coverage'))).toBe(false);
  expect(readdirSync(join(second.folder, 'node_modules/b'))).toEqual(['index.js']);
  second.close();
  expect(existsSync(join(it.home, 'planted'))).toBe(false);
});

test('what a command changed of setup’s files is made again', async () => {
  using it = await createPrepared();
  const first = await it.open();
  const before = it.setups();
  writeFileSync(join(first.folder, 'node_modules/b/index.js'), 'z\n');
  first.close();
  const second = await it.open();
  expect(it.setups()).toBe(before + 1);
  expect(readFileSync(join(second.folder, 'node_modules/b/index.js'), 'utf8')).toBe('b\n');
  rmSync(join(second.folder, 'node_modules'), { recursive: true });
  second.close();
  (await it.open()).close();
  expect(it.setups()).toBe(before + 2);
});

test('what setup makes of a story’s own lock file serves that gate alone', async () => {
  using it = await createPrepared();
  (await it.open()).close();
  const before = it.setups();
  await it.commit('package-lock.json', '{ "planted": true }\n');
  await it.commit('tool.cfg', '2\n');
  const own = await it.open();
  expect(readFileSync(join(own.folder, 'node_modules/a/tool.cfg'), 'utf8')).toBe('2\n');
  own.close();
  expect(existsSync(own.folder)).toBe(false);
  await it.commit('package-lock.json', '{}\n');
  const again = await it.open();
  // The story still has another tool.cfg, but setup is run on the base.
  expect(readFileSync(join(again.folder, 'node_modules/a/tool.cfg'), 'utf8')).toBe('1\n');
  again.close();
  expect(it.setups()).toBe(before + 2);
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

test('the checkout of a killed worker is removed, unless setup made something in it', async () => {
  using it = await createPrepared(null);
  const checkout = await it.open();
  sweepCleanPlaces(it.paths);
  expect(existsSync(checkout.folder)).toBe(true);
  // As after a kill: the lock has no owner.
  rmSync(join(it.paths.locks, 'clean-1'), { recursive: true });
  sweepCleanPlaces(it.paths);
  expect(existsSync(checkout.folder)).toBe(false);
});
