import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAGA } from '../../rig/programs/run-program.ts';
import { createTmuxServer, type TmuxServer } from '../../rig/worker/tmux-server.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

const SLOW = { one: { run: ['tail -f /dev/null --pid=$$'] } };
const WAIT = { interval: 50 };

const records = async (it: Workshop, env: Record<string, string>) =>
  JSON.parse((await it.saga(['sessions', '--json'], { env })).stdout).sessions;

const isAtWork = async (it: Workshop, env: Record<string, string>) =>
  (await records(it, env))[0]?.activity?.startsWith('Bash') === true;

/** What a person types into a terminal of their own tmux, with the variables of the workshop. */
function type(it: Workshop, tmux: TmuxServer, line: string): void {
  const words = Object.entries({ ...it.environment, TERM: 'screen' }).map(
    ([k, v]) => `${k}='${v}'`,
  );
  const saga = `${process.execPath} ${SAGA}`;
  tmux.run('send-keys', '-t', 'me', `cd ${it.root} && env ${words.join(' ')} ${saga} ${line}`);
  tmux.run('send-keys', '-t', 'me', 'Enter');
}

const screenOf = (tmux: TmuxServer) => tmux.run('capture-pane', '-p', '-t', 'me');

const CONFIGURATIONS = {
  'destroys sessions nobody looks at': 'set -g destroy-unattached on',
  'is broken': 'set -g no-such-option on\nthis is no command {',
  'has a shell that ends at once': 'set -g default-shell /bin/false',
  'has a command that ends at once': 'set -g default-command false',
  'keeps what has ended': 'set -g remain-on-exit on',
  'kills every new session': "set-hook -g session-created 'kill-session'",
};

test.each(Object.entries(CONFIGURATIONS))(
  'a session lives although the tmux configuration %s',
  async (_, lines) => {
    await using it = await createWorkshop({ rehearsals: SLOW });
    using tmux = createTmuxServer();
    const env = tmux.environment;
    writeFileSync(join(it.home, '.tmux.conf'), `${lines}\n`);
    it.story('cart', {}, { one: {} });
    const { code, stdout, stderr } = await it.saga(['run', 'cart'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect.poll(() => isAtWork(it, env), WAIT).toBe(true);
    const [record] = await records(it, env);
    expect(record).toMatchObject({ state: 'running', tmux: true });
    expect(stdout).toContain(record.session);
    expect(tmux.sessions()).toEqual([record.session]);
    expect(tmux.ownSessions()).toEqual([]);
    expect((await it.saga(['stop', 'cart'], { env })).stdout).toContain('✓ cart stopped');
    await expect.poll(() => tmux.sessions(), WAIT).toEqual([]);
  },
);

test('inside their own tmux, people start, enter and leave a session', async () => {
  await using it = await createWorkshop({ rehearsals: SLOW });
  using tmux = createTmuxServer();
  const env = tmux.environment;
  it.story('cart', {}, { one: {} });
  tmux.run('-u', 'new-session', '-d', '-x', '100', '-y', '30', '-s', 'me', 'sh');
  type(it, tmux, 'run cart');
  await expect.poll(() => isAtWork(it, env), WAIT).toBe(true);
  const [{ session, tmuxSocket }] = await records(it, env);
  const uid = process.getuid?.();
  expect(tmuxSocket).toBe(join(env.TMUX_TMPDIR ?? '', `tmux-${uid}`, 'saga-sessions'));
  expect(tmux.ownSessions()).toEqual(['me']);
  tmux.run('send-keys', '-t', 'me', 'clear', 'Enter');
  type(it, tmux, 'attach cart');
  await expect.poll(() => screenOf(tmux), WAIT).toContain('● run 1');
  const clients = () => tmux.runInSaga('list-clients', '-F', '#S').trim();
  expect(clients()).toBe(session);
  // As at a keyboard: Ctrl-B and D leave it, and the worker goes on.
  tmux.run('send-keys', '-t', 'me', 'C-b', 'd');
  await expect.poll(clients, WAIT).toBe('');
  expect((await records(it, env))[0]).toMatchObject({ state: 'running' });
  await it.saga(['stop', 'cart'], { env });
});

test('with session.tmuxServer "user", sessions are among your own', async () => {
  await using it = await createWorkshop({ rehearsals: SLOW });
  using tmux = createTmuxServer();
  const env = { ...tmux.environment, SAGA_SESSION_TMUX_SERVER: 'user' };
  writeFileSync(
    join(it.home, '.tmux.conf'),
    'set -g destroy-unattached on\nset -g remain-on-exit on\nset -g status-left MINE\n',
  );
  it.story('cart', {}, { one: {} });
  expect(await it.saga(['run', 'cart'], { env })).toMatchObject({ code: 0 });
  await expect.poll(() => isAtWork(it, env), WAIT).toBe(true);
  const [{ session, tmuxSocket }] = await records(it, env);
  expect(tmux.ownSessions()).toEqual([session]);
  expect(tmuxSocket).toMatch(/\/default$/);
  expect(tmux.run('show-options', '-gv', 'status-left').trim()).toBe('MINE');
  await it.saga(['stop', 'cart'], { env });
  await expect.poll(() => tmux.sessions(), WAIT).toEqual([]);
});

test('a session that your own tmux kills at once is not called started', async () => {
  await using it = await createWorkshop();
  using tmux = createTmuxServer();
  const env = { ...tmux.environment, SAGA_SESSION_TMUX_SERVER: 'user' };
  writeFileSync(join(it.home, '.tmux.conf'), "set-hook -g session-created 'kill-session'\n");
  it.story('cart', {}, { one: {} });
  const { code, stdout, stderr } = await it.saga(['run', 'cart'], { env });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('[session-failed]');
  expect(stderr).toContain('session.tmuxServer');
  expect(await records(it, env)).toEqual([]);
});

test('a worker that cannot begin is refused, and leaves no session', async () => {
  await using it = await createWorkshop();
  using tmux = createTmuxServer();
  const env = tmux.environment;
  it.story('cart', {}, { one: {} });
  const refused = async (more: Record<string, string>) => {
    const { code, stdout, stderr } = await it.saga(['run', 'cart'], { env: { ...env, ...more } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(it.outputFiles()).toEqual([]);
    expect(tmux.sessions()).toEqual([]);
    return stderr;
  };
  expect(await refused({ SAGA_WORKER_CLAUDE_PATH: '/nowhere/claude' })).toContain('claude');
  const nobody = { GIT_COMMITTER_NAME: '', GIT_COMMITTER_EMAIL: '', EMAIL: '' };
  expect(await refused({ ...nobody, GIT_CONFIG_GLOBAL: '/dev/null' })).toContain('[git-failed]');
  it.write('.saga/config.json', '{ "worker": { "maxCycles": 0 } }');
  expect(await refused({})).toContain('maxCycles');
});

test('stories of the same name in two projects have sessions of their own', async () => {
  await using one = await createWorkshop({ rehearsals: SLOW });
  await using two = await createWorkshop({ rehearsals: SLOW });
  using tmux = createTmuxServer();
  const sessions = join(one.home, 'sessions');
  mkdirSync(sessions);
  const env = { ...tmux.environment, SAGA_SESSION_DIR: sessions };
  for (const it of [one, two]) it.story('cart', {}, { one: {} });
  const started = await Promise.all([one, two].map((it) => it.saga(['run', 'cart'], { env })));
  expect(started).toMatchObject([{ code: 0 }, { code: 0 }]);
  for (const it of [one, two]) await expect.poll(() => isAtWork(it, env), WAIT).toBe(true);
  expect(tmux.sessions()).toHaveLength(2);
  await one.saga(['stop', 'cart'], { env });
  const [left] = await records(two, env);
  expect(left).toMatchObject({ state: 'running' });
  await expect.poll(() => tmux.sessions(), WAIT).toEqual([left.session]);
  await two.saga(['stop', 'cart'], { env });
});
