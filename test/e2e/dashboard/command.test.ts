import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PLAIN_ENVIRONMENT, runProgram, SAGA } from '../../rig/programs/run-program.ts';
import { createShop } from '../../rig/project/shop.ts';
import { askServer } from '../../rig/screens/dashboard.ts';
import { expectJson } from '../../rig/screens/expect-json.ts';

/** The built command until it has said its address. */
async function startCommand(
  cwd: string,
  args: string[],
  env: Record<string, string> = {},
  before: string[] = [],
) {
  const [program = '', ...rest] = [...before, process.execPath, SAGA, 'dashboard', ...args];
  const child = spawn(program, rest, {
    cwd,
    env: { ...PLAIN_ENVIRONMENT, HOME: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const closed = once(child, 'close');
  await expect.poll(() => printed).toMatch(/Ctrl-C ends it|"notes"[\s\S]*\}/);
  return {
    printed: () => printed,
    complaints: () => complaints,
    port: Number(/:(\d+)\/\?token=/.exec(printed)?.[1]),
    ask: (path: string) => {
      const [, port, token = ''] = /:(\d+)\/\?token=([\w-]+)/.exec(printed) ?? [];
      return askServer(Number(port), path, { headers: { 'x-saga-token': token } });
    },
    async interrupt(signal: NodeJS.Signals = 'SIGINT') {
      child.kill(signal);
      return (await closed)[0];
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

test('the command serves until it is interrupted', async () => {
  using plan = createShop();
  await using it = await startCommand(plan.root, ['--port', '0']);
  expect(it.printed()).toMatch(
    /^dashboard {2}http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}\n {2}Ctrl-C ends it\n$/,
  );
  const { status, text } = await it.ask('/api/home');
  expect({ status, stories: JSON.parse(text).counts.stories }).toEqual({ status: 200, stories: 4 });
  const record = join(plan.root, '.git/saga/runs/dashboard.json');
  expect(JSON.parse(readFileSync(record, 'utf8')).url).toBe(`http://127.0.0.1:${it.port}`);
  expect(await it.interrupt()).toBe(0);
  expect(existsSync(record)).toBe(false);
  await expect(it.ask('/api/home')).rejects.toThrow('ECONNREFUSED');
});

test('a port that is taken gives the next one, and says so', async () => {
  using plan = createShop();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  await using it = await startCommand(plan.root, [], { SAGA_DASHBOARD_PORT: String(port) });
  expect(it.port).toBeGreaterThan(port);
  expect(it.printed()).toContain(`! port ${port} is taken; using port ${it.port}`);
  expect((await it.ask('/api/home')).status).toBe(200);
  other.close();
});

test('for scripts it is one object; listening beyond this machine is warned of', async () => {
  using plan = createShop();
  await using it = await startCommand(plan.root, ['--json', '--port', '0', '--host', '0.0.0.0']);
  await expectJson('dashboard', it.printed());
  expect(JSON.parse(it.printed())).toMatchObject({
    url: expect.stringMatching(/^http:\/\/0\.0\.0\.0:/),
    token: expect.any(String),
    port: it.port,
    notes: [expect.stringContaining('other machines can reach this page')],
  });
});

test('--open hands a file to the browser that leads to the address; broken settings keep nothing from starting', async () => {
  using plan = createShop();
  plan.write('.saga/config.json', '{ "dashboard": { "prot": 1 } }');
  plan.write(
    'bin/xdg-open',
    '#!/bin/sh\n{ stat -c %a "$1"; cat "$1"; } > read\necho "$*" > opened\n',
  );
  chmodSync(join(plan.root, 'bin/xdg-open'), 0o755);
  const PATH = `${join(plan.root, 'bin')}:${PLAIN_ENVIRONMENT.PATH}`;
  await using it = await startCommand(plan.root, ['--open', '--port', '0'], { PATH });
  const file = join(plan.root, 'opened');
  // All users of a machine see arguments, so the token is in a file that only its owner can read.
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toMatch(/^\/.*\.html\n$/);
  expect(readFileSync(file, 'utf8')).not.toContain('token');
  const [mode, ...page] = readFileSync(join(plan.root, 'read'), 'utf8').split('\n');
  expect(mode).toBe('600');
  expect(page.join('\n')).toMatch(
    /http-equiv="refresh" content="0; url=http:\S+\?token=[\w-]{32}"/,
  );
  const opened = readFileSync(file, 'utf8').trim();
  expect(existsSync(opened)).toBe(true);
  const { text } = await it.ask('/api/problems');
  expect(text).toContain('prot');
  expect(await it.interrupt()).toBe(0);
  expect(existsSync(opened)).toBe(false);
  await using plain = await startCommand(plan.root, []);
  expect(plain.port).toBeGreaterThanOrEqual(4780);
});

test('an interrupt that comes while it is still starting ends it too', async () => {
  using plan = createShop();
  // The browser is opened before anybody waits for the interrupt.
  plan.write('bin/xdg-open', '#!/bin/sh\nkill -INT $PPID\n');
  chmodSync(join(plan.root, 'bin/xdg-open'), 0o755);
  const PATH = `${join(plan.root, 'bin')}:${PLAIN_ENVIRONMENT.PATH}`;
  const { code } = await runProgram(SAGA, ['dashboard', '--open', '--port', '0'], {
    cwd: plan.root,
    env: { HOME: plan.root, PATH },
  });
  expect(code).toBe(0);
  expect(existsSync(join(plan.root, '.git/saga/runs/dashboard.json'))).toBe(false);
});

test('a wrong port is a usage error', async () => {
  using plan = createShop();
  const child = spawn(process.execPath, [SAGA, 'dashboard', '--port', '70000'], { cwd: plan.root });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  expect((await once(child, 'close'))[0]).toBe(1);
  expect(said).toContain('--port must be a number from 0 to 65535');
});

/** As on a machine where other programs have taken all but so many inotify instances. */
const withInstances = (count: number) => [
  ...['unshare', '--user', '--map-root-user', 'sh', '-c'],
  'echo "$0" > /proc/sys/user/max_inotify_instances && exec "$@"',
  String(count),
];

test.each([0, 1, 2])(
  'with %i inotify instances it answers, says how it looks for changes, and ends',
  async (count) => {
    using plan = createShop();
    await using it = await startCommand(plan.root, ['--port', '0'], {}, withInstances(count));
    expect((await it.ask('/api/home')).status).toBe(200);
    await expect.poll(it.complaints).toContain('[not-told]');
    expect(it.complaints()).toContain('no free inotify instance');
    plan.story('loose', { title: 'Changed meanwhile' });
    const title = async () => {
      const { text } = await it.ask('/api/stories/loose');
      return JSON.parse(text).view.title;
    };
    await expect.poll(title).toBe('Changed meanwhile');
    expect(await it.interrupt('SIGTERM')).toBe(0);
  },
);

test('with enough inotify instances nothing is said of it', async () => {
  using plan = createShop();
  await using it = await startCommand(plan.root, ['--port', '0'], {}, withInstances(4));
  plan.story('loose', { title: 'Changed meanwhile' });
  const title = async () => {
    const { text } = await it.ask('/api/stories/loose');
    return JSON.parse(text).view.title;
  };
  await expect.poll(title).toBe('Changed meanwhile');
  expect(await it.interrupt('SIGTERM')).toBe(0);
  expect(it.complaints()).toBe('');
});
