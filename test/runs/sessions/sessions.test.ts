import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { announceDashboard } from '@saga-ai/core/records/dashboard-record';
import { expect, test } from 'vitest';
import { SAGA } from '../../rig/programs/run-program.ts';
import { until } from '../../rig/programs/until.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

/** Runs until the file `go` lies beside the worktree. */
const WAIT_FOR_GO = 'for i in $(seq 3000); do [ -e ../go ] && break; sleep 0.1; done';
const SLOW = { one: { run: ['tail -f /dev/null --pid=$$'] } };

const records = async (it: Workshop, env: Record<string, string>) =>
  JSON.parse((await it.saga(['sessions', '--json'], { env })).stdout).sessions;

test('a session runs in tmux with the environment of whoever started it', async () => {
  await using it = await createWorkshop({ rehearsals: { one: { run: [WAIT_FOR_GO] } } });
  using tmux = createTmuxServer();
  // A server that runs already has an environment of its own: no model, no home, no client.
  tmux.run('new-session', '-d', '-s', 'other', 'sleep 100');
  const env = tmux.environment;
  it.story('cart', {}, { one: {}, two: {} });
  using _page = announceDashboard(it.paths, 'http://127.0.0.1:4780');
  const { code, stdout } = await it.saga(['run', 'cart'], { env });
  expect(code).toBe(0);
  const session = /session {2}(\S+)/.exec(stdout)?.[1] ?? '';
  expect(session).toMatch(/^saga-story-cart-\d+$/);
  expect(stdout).toContain('story/cart → ../project.stories/cart');
  expect(stdout).toContain('saga logs -f cart\n           http://127.0.0.1:4780/stories/cart\n');
  expect(tmux.sessions()).toContain(session);
  writeFileSync(join(it.worktrees, 'go'), '');
  await until(async () => (await records(it, env))[0]?.state === 'ended');
  expect(await records(it, env)).toMatchObject([
    { session, story: 'cart', tmux: true, outcome: 'done', exitCode: 0, cycle: 1 },
  ]);
  await until(() => !tmux.sessions().includes(session));
  const listed = (await it.saga(['sessions'], { env })).stdout;
  expect(listed).toMatch(
    /^✓ cart {2}done {2}(?:just now|\d+ min ago) {2}[\w ]+ · 1 run {2}all tasks completed/,
  );
  expect(it.github.pulls).toMatchObject([{ isDraft: false }]);
});

test('output files are for their owner alone, and no variable is left in a file', async () => {
  await using it = await createWorkshop();
  using tmux = createTmuxServer();
  it.story('cart', {}, { one: {} });
  await it.saga(['run', 'cart'], { env: tmux.environment });
  await until(async () => (await records(it, tmux.environment))[0]?.state === 'ended');
  const folder = it.environment.SAGA_SESSION_DIR ?? '';
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^saga-story-cart-\d+\.jsonl$/)]);
  expect(statSync(it.outputFiles()[0] ?? '').mode & 0o777).toBe(0o600);
});

test('a running session is listed, followed and stopped; then the story goes on', async () => {
  await using it = await createWorkshop({ rehearsals: SLOW });
  using tmux = createTmuxServer();
  const env = tmux.environment;
  it.story('cart', {}, { one: { activeForm: 'Working on one' } });
  await it.saga(['run', 'cart'], { env });
  await until(async () => (await records(it, env))[0]?.activity?.startsWith('Bash'));
  const listed = (await it.saga(['sessions'], { env })).stdout;
  expect(listed).toMatch(/^● cart {2}running .* Working on one · Bash tail/);
  const second = await it.saga(['run', 'cart'], { env });
  expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('[in-flight]') });
  const inPlace = await it.saga(['worker', 'cart'], { env });
  expect(inPlace).toMatchObject({ code: 1, stderr: expect.stringContaining('[in-flight]') });
  const edited = await it.saga(['task', 'create', 'More', '--story', 'cart'], { env });
  expect(edited.stderr).toContain('saga stop cart');

  const following = it.saga(['logs', '-f', 'cart'], { env });
  const stopped = await it.saga(['stop', 'cart'], { env });
  expect(stopped.stdout).toContain('✓ cart stopped');
  const { code, stdout } = await following;
  expect(code).toBe(2);
  expect(stdout).toContain('Bash tail -f /dev/null');
  expect(stdout).toContain('stopped on request (SIGTERM)');
  expect(await records(it, env)).toMatchObject([{ outcome: 'stopped', exitCode: 2 }]);
  const task = JSON.parse(it.readStory('cart', 'one.json'));
  expect(task).toMatchObject({ status: 'pending' });
  expect(task.attempts).toBeUndefined();
  expect((await it.saga(['stop', 'cart'], { env })).stdout).toBe('cart is not running.\n');
});

test('the terminal of a session shows the run as it goes, and can be looked into', async () => {
  await using it = await createWorkshop({ rehearsals: SLOW });
  using tmux = createTmuxServer();
  const env = { ...tmux.environment, TERM: 'xterm' };
  it.story('cart', {}, { one: {}, two: { blockedBy: ['one'] } });
  await it.saga(['run', 'cart'], { env });
  await until(async () => (await records(it, env))[0]?.activity?.startsWith('Bash'));
  const [session = ''] = tmux.sessions();
  tmux.run('new-session', '-d', '-x', '80', '-y', '24', '-s', 'me', 'sh');
  const words = Object.entries({ ...it.environment, ...env }).map(([k, v]) => `${k}='${v}'`);
  const attach = `cd ${it.root} && env -u TMUX ${words.join(' ')} ${process.execPath} ${SAGA} attach cart`;
  tmux.run('send-keys', '-t', 'me', attach, 'Enter');
  await until(() => tmux.run('capture-pane', '-p', '-t', 'me').includes('● run 1'));
  const screen = tmux.runInSaga('capture-pane', '-p', '-t', `=${session}:`);
  expect(screen).toMatch(/✓ preflight .*\n(?:. sandbox .*\n)?✓ worktree .*\n✓ pull request/);
  expect(screen).toMatch(
    /● run 1 {10}model opus · guarded · [\w ]+(?: · ~\$[\d.]+)?\n {4}● one {2}Bash tail .*\n {4}◌ two {2}Do two/,
  );
  await it.saga(['stop', 'cart'], { env });
  const over = await it.saga(['attach', 'cart'], { env });
  expect(over.stderr).toContain('has ended: stopped on request (SIGTERM)');
});

test('a worker that cannot begin is told at once', async () => {
  await using it = await createWorkshop();
  using tmux = createTmuxServer();
  const env = tmux.environment;
  it.story('cart', {}, { one: {} });
  it.write('../project.stories/cart/mine.txt', 'in the way');
  const { code, stderr } = await it.saga(['run', 'cart'], { env });
  expect(code).toBe(1);
  expect(stderr).toContain('it is not a worktree of this repository');
  const unknown = await it.saga(['run', 'crat'], { env });
  expect(unknown.stderr).toContain('Did you mean cart?');
  const { stdout } = await it.saga(['logs', 'cart'], { env });
  expect(stdout).toContain('✗ error');
  it.story('other');
  expect((await it.saga(['logs', 'other'], { env })).stderr).toContain('saga run other');
});

test('a log of any size is read from its end', async () => {
  await using it = await createWorkshop();
  it.story('cart', {}, { one: {} });
  await it.saga(['worker', 'cart']);
  const [file = ''] = it.outputFiles();
  const line = `${JSON.stringify({ time: new Date().toISOString(), type: 'run:text', text: 'x'.repeat(1000) })}\n`;
  const end = it.events().at(-1);
  writeFileSync(file, line.repeat(150_000));
  writeFileSync(file, `${JSON.stringify(end)}\n`, { flag: 'a' });
  const { stdout } = await it.saga(['logs', 'cart']);
  expect(stdout).toMatch(/✓ done .* all tasks completed/);
});

test('a story that waits for another is not begun by mistake', async () => {
  await using it = await createWorkshop();
  using tmux = createTmuxServer();
  const env = tmux.environment;
  it.story('base', { epic: 'shop' });
  it.story('top', { epic: 'shop' });
  const children = [
    { id: 'base', blockedBy: [] },
    { id: 'top', blockedBy: ['base'] },
  ];
  it.write('.saga/epics/shop.json', { id: 'shop', title: 'Shop', description: '', children });
  for (const how of [
    ['run', 'top'],
    ['run', 'top', '--foreground'],
  ]) {
    const { code, stderr } = await it.saga(how, { env });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^✗ Story top waits for base: ready\. +\[waits\]\n {2}.*--anyway\n$/,
      ),
    });
  }
  expect(it.outputFiles()).toEqual([]);
  const { code } = await it.saga(['run', 'top', '--foreground', '--anyway'], { env });
  expect(code).toBe(0);
});
