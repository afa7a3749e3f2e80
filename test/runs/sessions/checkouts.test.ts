import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram, SAGA } from '../../rig/programs/run-program.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';

const SLOW = { one: { run: ['tail -f /dev/null --pid=$$'] } };
const WAIT = { interval: 50 };

test('a story is run, shown and stopped from any worktree of a bare repository', async () => {
  await using it = await createWorkshop({ rehearsals: SLOW });
  using tmux = createTmuxServer();
  it.story('cart', {}, { one: {} });
  it.git('add', '-A');
  it.git('commit', '-qm', 'The plan');
  const bare = join(it.root, '../shop.git');
  it.git('clone', '-q', '--bare', '.', bare);
  const [one, two] = ['one', 'two'].map((name) => join(it.root, '..', name));
  for (const folder of [one, two])
    it.git(`--git-dir=${bare}`, 'worktree', 'add', '-q', `${folder}`);
  const saga = (cwd: string | undefined, ...args: string[]) =>
    runProgram(SAGA, args, { cwd: `${cwd}`, env: { ...it.environment, ...tmux.environment } });
  const look = async (cwd: string | undefined) =>
    JSON.parse((await saga(cwd, 'list', '--json')).stdout).stories[0];
  expect(await saga(one, 'run', 'cart', '--no-pr', '--trust')).toMatchObject({ code: 0 });
  await expect.poll(async () => (await look(two)).session?.activity, WAIT).toMatch(/^Bash/);
  expect(await look(two)).toMatchObject({ state: 'running', session: { startedIn: '../one' } });
  const again = await saga(two, 'run', 'cart', '--no-pr', '--trust');
  expect(again.stderr).toMatch(/has a worker already \(process \d+, started in \.\.\/one\)/);
  expect((await saga(two, 'stop', 'cart')).stdout).toContain('✓ cart stopped');
  for (const folder of [one, two]) {
    expect(await look(folder)).toMatchObject({ state: 'interrupted', running: false });
  }
  const worktrees = it.git(`--git-dir=${bare}`, 'worktree', 'list');
  expect(worktrees.match(/shop\.stories\/cart /g)).toHaveLength(1);
  // What is known of it moves with the repository.
  const moved = join(it.root, '../moved.git');
  renameSync(bare, moved);
  it.git(`--git-dir=${moved}`, 'worktree', 'repair', `${one}`, `${two}`);
  expect((await saga(two, 'sessions')).stdout).toMatch(/cart +stopped/);
});
