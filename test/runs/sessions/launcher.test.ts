import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { openProcessTable } from '@saga-ai/core/processes/table';
import { createInProcessLauncher } from '@saga-ai/core/sessions/in-process-launcher';
import type { Launcher } from '@saga-ai/core/sessions/launcher';
import { createTmuxLauncher } from '@saga-ai/core/sessions/tmux-launcher';
import { expect, test } from 'vitest';
import { SAGA } from '../../rig/programs/run-program.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

type Open = (it: Workshop) => { launcher: Launcher } & Disposable;

const inTmux: Open = (it) => {
  const tmux = createTmuxServer();
  const launcher = createTmuxLauncher({
    paths: it.paths,
    program: [process.execPath, SAGA],
    env: { ...it.environment, ...tmux.environment },
    userId: process.getuid?.(),
  });
  return { launcher, [Symbol.dispose]: () => tmux[Symbol.dispose]() };
};

const inProcess: Open = (it) => ({
  launcher: createInProcessLauncher({
    paths: it.paths,
    env: it.environment,
    agentHome: { config: `${it.home}/.claude` },
    userId: process.getuid?.(),
  }),
  [Symbol.dispose]: () => {},
});

const said = (file: string, text: string) =>
  existsSync(file) && readFileSync(file, 'utf8').includes(text);
const WAIT = { interval: 50 };

test.each([
  ['tmux', inTmux],
  ['in this process', inProcess],
])('%s: two stories are started, one is stopped, and both ends are told', async (_, open) => {
  await using it = await createWorkshop({
    rehearsals: { endless: { run: ['tail -f /dev/null --pid=$$'] } },
  });
  it.story('cart', {}, { one: {} });
  it.story('shop', {}, { endless: {} });
  using place = open(it);
  const cart = await place.launcher.start('cart');
  const shop = await place.launcher.start('shop');
  expect(cart.session).toMatch(/^saga-story-cart-\d+$/);
  await expect(place.launcher.start('shop')).rejects.toMatchObject({ code: 'in-flight' });
  expect(await cart.ended).toMatchObject({
    kind: 'done',
    cause: { kind: 'done' },
    reason: 'all tasks completed, gate passed',
    exitCode: 0,
  });
  await expect.poll(() => said(shop.outputFile, 'tail -f /dev/null'), WAIT).toBe(true);
  await shop.stop('no longer wanted');
  expect(await shop.ended).toMatchObject({ kind: 'stopped', exitCode: 2 });
  // Once more does no harm.
  await shop.stop('no longer wanted');
});

test('a worker in tmux that is killed has ended with an error', async () => {
  await using it = await createWorkshop({
    rehearsals: { endless: { run: ['tail -f /dev/null --pid=$$'] } },
  });
  it.story('shop', {}, { endless: {} });
  using place = inTmux(it);
  const { ended, outputFile } = await place.launcher.start('shop');
  await expect.poll(() => said(outputFile, '"pid":'), WAIT).toBe(true);
  const pid = Number(/"pid":(\d+)/.exec(readFileSync(outputFile, 'utf8'))?.[1]);
  process.kill(pid, 'SIGKILL');
  expect(await ended).toEqual({ kind: 'error', reason: 'the worker died', exitCode: 1 });
  const left = () =>
    openProcessTable()
      .listCarriers('HOME')
      .filter(({ value }) => value === it.home);
  await expect.poll(left, WAIT).toEqual([]);
});

test('one that is refused is not started', async () => {
  await using it = await createWorkshop();
  it.story('cart', {}, { one: {} });
  it.write('../project.stories/cart/mine.txt', 'in the way');
  for (const open of [inTmux, inProcess]) {
    using place = open(it);
    await expect(place.launcher.start('cart')).rejects.toMatchObject({ code: 'worktree-taken' });
  }
});

test('no file with variables is left when tmux does not start', async () => {
  await using it = await createWorkshop();
  it.story('cart', {}, { one: {} });
  // A folder for its socket that tmux cannot use; asked for its version it answers all the same.
  const env = { TMUX_TMPDIR: '/dev/null' };
  const { code, stderr } = await it.saga(['run', 'cart'], { env });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('tmux did not start'),
  });
  const folder = it.environment.SAGA_SESSION_DIR ?? '';
  expect(readdirSync(folder)).toEqual([]);
});
