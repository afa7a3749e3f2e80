import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openProcessTable } from '@saga-ai/core/processes/table';
import type { RecoverJson } from '@saga-ai/types/screens/json/recovery';
import { expect, test } from 'vitest';
import { SAGA } from '../../rig/programs/run-program.ts';
import { expectJson } from '../../rig/screens/expect-json.ts';
import { findSandboxRefusal } from '../../rig/worker/find-sandbox-refusal.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

const WAIT = { interval: 50 };

function startWorker(it: Workshop): ChildProcess & Disposable {
  const options = { cwd: it.root, env: it.environment, stdio: 'ignore' } as const;
  const child = spawn(process.execPath, [SAGA, 'worker', 'cart'], options);
  return Object.assign(child, { [Symbol.dispose]: () => void child.kill('SIGKILL') });
}

/** Every file of a worktree with its bytes, and what git says of them. */
function look(it: Workshop, worktree: string): string {
  const script = `find . -path ./.git -prune -o ! -type d -printf '%p %m %l\\n' | sort
    find . -path ./.git -prune -o -type f -print0 | sort -z | xargs -0 sha256sum
    git rev-parse HEAD; git ls-files -s; git status --porcelain`;
  return execFileSync('sh', ['-c', script], {
    ...{ cwd: worktree, encoding: 'utf8', env: it.environment },
  });
}

/** The names of the processes that carry this workshop's home. */
const running = ({ home }: Workshop) => {
  const table = openProcessTable();
  const carriers = table.listCarriers('HOME').filter(({ value }) => value === home);
  return carriers.flatMap(({ pid }) => table.find(pid)?.name ?? []);
};

test('a worker killed in the middle is named with evidence, discarded, restored as it was, and finished', async () => {
  const untracked =
    'printf "a\\r\\n" > new.txt; echo more >> README.md; git add README.md; echo even >> README.md';
  const rehearsals = {
    one: { write: { 'one.txt': 'one\n' }, commit: 'One' },
    two: {
      run: [`[ -e new.txt ] || { ${untracked}; touch .git-ready; exec sleep 600; }; rm .git-ready`],
      commit: 'Two',
    },
  };
  await using it = await createWorkshop({ rehearsals });
  using tmux = createTmuxServer();
  it.story('cart', {}, { one: {}, two: { blockedBy: ['one'] } });
  const worktree = join(it.worktrees, 'cart');
  {
    using worker = startWorker(it);
    await expect.poll(() => existsSync(join(worktree, '.git-ready')), WAIT).toBe(true);
    // The worker has written down what the client told it.
    const begun = { type: 'task:status', task: 'two', to: 'in_progress' };
    await expect.poll(() => it.events(), WAIT).toContainEqual(expect.objectContaining(begun));
    worker.kill('SIGKILL');
  }
  await expect.poll(() => running(it), WAIT).toEqual([]);

  const before = look(it, worktree);
  const told = await it.saga(['recover', '--json'], { env: tmux.environment });
  await expectJson('recover', told.stdout);
  const { inFlight, orphans } = JSON.parse(told.stdout) as RecoverJson;
  const [item] = inFlight;
  expect(item).toMatchObject({ id: 'cart', kind: 'story', state: 'interrupted', task: 'two' });
  expect(item?.worktree?.changed).toEqual(expect.arrayContaining(['README.md', 'new.txt']));
  const says = item?.evidence.map((line) => line.says).join('; ');
  expect(says).toMatch(/worktree has \d uncommitted files/);
  expect(says).toMatch(/a run was cut off/);
  expect(says).toMatch(/last event \S+:\S+/);
  expect(says).toMatch(/worker \d+ is gone; lock is stale/);
  expect(item?.next).toEqual({
    kind: 'resume',
    command: 'saga recover --resume cart',
    what: 'settles the run that was cut off, then continues with task two',
  });
  expect(orphans.map(({ kind }) => kind)).toEqual(['lock-of-the-dead']);
  // Looking changed nothing.
  expect(look(it, worktree)).toBe(before);

  expect((await it.saga(['recover', '--discard', 'cart'])).stderr).toContain('add --yes');
  expect(existsSync(worktree)).toBe(true);
  expect((await it.saga(['recover', '--discard', 'cart', '--yes'])).code).toBe(0);
  expect(existsSync(worktree)).toBe(false);
  expect(JSON.parse((await it.saga(['recover', '--json'])).stdout).inFlight).toMatchObject([
    // Its first commits were pushed, so the remote still has a branch.
    { id: 'cart', branch: 'origin/story/cart', worktree: null },
  ]);

  expect((await it.saga(['trash', 'restore', 'cart'])).code).toBe(0);
  expect(look(it, worktree)).toBe(before);

  const resumed = await it.saga(['recover', '--resume', 'cart'], { env: tmux.environment });
  expect(resumed.stderr).toBe('');
  expect(resumed.stdout).toContain('settles the run that was cut off');
  const state = async () => {
    const { stdout } = await it.saga(['status', '--json'], { env: tmux.environment });
    return JSON.parse(stdout).stories[0].state;
  };
  await expect.poll(state, { interval: 300 }).toBe('in review');
  expect(it.pushedStatuses('cart')).toEqual({ one: 'completed', two: 'completed' });
  const left = await it.saga(['recover', '--json'], { env: tmux.environment });
  expect(JSON.parse(left.stdout)).toMatchObject({ inFlight: [], running: [] });
});

const refused = await findSandboxRefusal();

test.skipIf(refused !== undefined)(
  'commits that a killed run made in its sandbox are in the trash, too',
  async () => {
    const command = '[ -e ready ] || { touch ready; exec sleep 600; }';
    const rehearsals = {
      one: { write: { 'one.txt': 'one\n' }, commit: 'One' },
      two: { run: [command], commit: 'Two' },
    };
    await using it = await createWorkshop({ rehearsals });
    it.write('.saga/config.json', { worker: { sandbox: 'required' } });
    it.story('cart', {}, { one: {}, two: { blockedBy: ['one'] } });
    const worktree = join(it.worktrees, 'cart');
    {
      using worker = startWorker(it);
      await expect.poll(() => existsSync(join(worktree, 'ready')), WAIT).toBe(true);
      worker.kill('SIGKILL');
    }
    await expect.poll(() => running(it), WAIT).toEqual([]);
    expect(it.git('log', '--format=%s', 'story/cart')).not.toContain('One');
    expect((await it.saga(['recover', '--discard', 'cart', '--yes'])).stderr).toBe('');
    expect(it.git('log', '--format=%s', '--glob=refs/saga/trash')).toContain('One');
    expect((await it.saga(['trash', 'restore', 'cart'])).stderr).toBe('');
    expect(it.git('log', '--format=%s', 'story/cart')).toContain('One');
    expect(existsSync(join(worktree, 'ready'))).toBe(true);
    expect((await it.saga(['worker', 'cart'])).code).toBe(0);
    expect(it.pushedStatuses('cart')).toEqual({ one: 'completed', two: 'completed' });
  },
);
