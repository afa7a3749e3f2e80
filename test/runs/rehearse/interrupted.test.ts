import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processesOf } from '../../rig/programs/processes-of.ts';
import { SAGA } from '../../rig/programs/run-program.ts';
import { rehearse } from '../../rig/worker/rehearse.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';
import { expectNothingRunning, lookAround } from '../../rig/worker/traces.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

const SLOW = { a: { rehearsal: { run: ['tail -f /dev/null'], commit: 'a' } } };

/** A rehearsal that has come as far as a command which does not end by itself. */
async function startSlow(it: Workshop) {
  it.story('cart', {}, SLOW);
  const child = spawn(process.execPath, [SAGA, 'rehearse', 'cart'], {
    cwd: it.root,
    env: it.environment,
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stdout }));
  await expect.poll(() => processesOf(it.root).filter((pid) => isTail(pid))).not.toEqual([]);
  return { child, ended };
}

function isTail(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('tail\0-f');
  } catch {
    // It has just ended.
    return false;
  }
}

test('Ctrl-C in the middle clears all away', async () => {
  await using it = await createWorkshop();
  it.story('cart', {}, SLOW);
  const before = lookAround(it);
  const { child, ended } = await startSlow(it);
  child.kill('SIGINT');
  const { code, stdout } = await ended;
  expect(code).toBe(1);
  expect(stdout).toContain('stopped with Ctrl-C (SIGINT)');
  expect(stdout).toContain('stopped before the end');
  expect(stdout).not.toContain('✗');
  expect(lookAround(it)).toEqual(before);
  expectNothingRunning(it);
});

test('a terminal that is closed in the middle leaves nothing either', async () => {
  await using it = await createWorkshop();
  using tmux = createTmuxServer();
  it.story('cart', {}, SLOW);
  const before = lookAround(it);
  const variables = Object.entries(it.environment).map(([key, value]) => `${key}=${value}`);
  const command = ['env', ...variables, process.execPath, SAGA, 'rehearse', 'cart'];
  tmux.run('new-session', '-d', '-s', 'r', '-c', it.root, '--', ...command);
  await expect.poll(() => processesOf(it.root).filter((pid) => isTail(pid))).not.toEqual([]);
  tmux.run('kill-server');
  await expect.poll(() => processesOf(it.root)).toEqual([]);
  expect(lookAround(it)).toEqual(before);
});

test('what a killed one left is cleared by the next one, or by the doctor', async () => {
  await using it = await createWorkshop();
  it.story('cart', {}, SLOW);
  const before = lookAround(it);
  const kill = async () => {
    const { child, ended } = await startSlow(it);
    child.kill('SIGKILL');
    await ended;
    // The branch may have been pushed to the stand-in by then.
    it.git('update-ref', 'refs/remotes/origin/rehearsal/cart', 'rehearsal/cart');
    expect(lookAround(it).temp).toHaveLength(1);
    it.story('cart', {}, { a: {} });
  };
  await kill();
  const { code, events } = await rehearse(it, 'cart');
  expect(code).toBe(0);
  const made = events.find(({ type }) => type === 'worktree:created');
  expect(made).toMatchObject({ ahead: 0 });
  expect(lookAround(it)).toEqual(before);
  expectNothingRunning(it);

  await kill();
  const look = await it.saga(['doctor', '--json']);
  expect(JSON.parse(look.stdout).findings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        name: 'worktrees',
        state: 'warning',
        message: 'kept or left by a rehearsal: cart',
        fix: 'saga doctor --fix',
      }),
      expect.objectContaining({
        name: 'locks',
        message: expect.stringMatching(/^2 stale locks: process \d+ is gone$/),
      }),
    ]),
  );
  const fixed = await it.saga(['doctor', '--fix', '--json']);
  expect(JSON.parse(fixed.stdout).fixed).toEqual(
    expect.arrayContaining(['rehearsal of cart removed, with its branch']),
  );
  expect({ ...lookAround(it), home: before.home }).toEqual(before);
  expectNothingRunning(it);
  expect(existsSync(it.worktrees)).toBe(false);
});

test('a story that is being worked on is left alone', async () => {
  await using it = await createWorkshop({
    rehearsals: {
      a: {
        write: { 'real.txt': 'real\n' },
        run: ['touch at-it; while [ ! -e go ]; do sleep 0.1; done; rm go at-it'],
        commit: 'real',
      },
    },
  });
  it.story('cart', { verify: 'true' }, { a: {} });
  const worker = it.saga(['worker', 'cart']);
  const home = join(it.root, '../project.stories/cart');
  await expect.poll(() => existsSync(join(home, 'at-it'))).toBe(true);
  const look = () => ({
    ...lookAround(it),
    task: it.readStory('cart', 'a.json'),
    story: it.readStory('cart', 'story.json'),
  });
  // The plan went on in its worktree, and is not in the main checkout any more.
  rmSync(join(it.paths.stories, 'cart'), { recursive: true });
  const before = look();
  const { code, wrong } = await rehearse(it, 'cart');
  expect({ code, wrong }).toEqual({ code: 0, wrong: {} });
  expect(look()).toEqual(before);
  it.write('../project.stories/cart/go', '');
  expect(await worker).toMatchObject({ code: 0 });
  expect(existsSync(home)).toBe(true);
  expect(it.pushedStatuses('cart')).toEqual({ a: 'completed' });

  // Once it is completed, all its tasks are gone through again.
  const done = look();
  const again = await rehearse(it, 'cart');
  expect(again.findings.find(({ name }) => name === 'tasks')?.message).toMatch(/^1 of 1 task/);
  expect(again.code).toBe(0);
  expect(look()).toEqual(done);
});
