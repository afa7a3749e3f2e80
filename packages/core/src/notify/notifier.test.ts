import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { NotifySettings } from '@saga-ai/types/notify-settings';
import type { RunEvent } from '@saga-ai/types/run/event';
import type { News } from '@saga-ai/types/run/news';
import { expect, test } from 'vitest';
import { until } from '../../../../test/rig/programs/until.ts';
import { createPlan, type Plan } from '../../../../test/rig/project/plan.ts';
import { deliver } from './channels.ts';
import { NewsFinder, type SessionEnd } from './find-news.ts';
import { Notifier } from './notifier.ts';
import { claimNews, listTold } from './told-records.ts';

const ENV = { PATH: process.env.PATH, HOME: '/nowhere' };
const NEWS: News = {
  ...{ version: 1, on: 'needs-you', kind: 'story', id: 'cart', title: 't', text: 'x' },
  ...{ next: 'saga inbox', project: '/p', session: null, time: '2026-01-01T00:00:00Z' },
};
const settings = (given: object) => NotifySettings.parse(given);

/** A server on loopback that answers with this status, or never. */
async function serve(
  status: number | 'never',
): Promise<AsyncDisposable & { url: string; got: string[] }> {
  const got: string[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      got.push(`${request.method} ${request.headers['content-type']} ${body}`);
      if (status !== 'never') response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/secret-path`,
    got,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const node = (program: string, ...args: string[]) => [process.execPath, '-e', program, ...args];

test('a command reads the news from its standard input, and no shell reads its arguments', async () => {
  using plan = createPlan();
  const file = join(plan.root, 'got');
  const copy =
    'require("fs").writeFileSync(process.argv[1], require("fs").readFileSync(0) + process.argv[2])';
  const command = node(copy, file, '$(touch x)');
  const sent = await deliver(NEWS, settings({ command }), { root: plan.root, env: ENV });
  expect(sent).toEqual([{ by: 'command' }]);
  expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(NEWS)}\n$(touch x)`);
  expect(existsSync(join(plan.root, 'x'))).toBe(false);
});

test('a command that hangs is killed with what it started, and its failure is told', async () => {
  using plan = createPlan();
  const file = join(plan.root, 'child');
  const hang = 'sleep 1000 & echo $! > "$1"; wait';
  const slow = settings({ command: ['sh', '-c', hang, 'sh', file], timeout: 3 });
  const [sent] = await deliver(NEWS, slow, { root: plan.root, env: ENV });
  expect(sent?.failure).toMatch(/took longer than 3 s and was killed$/);
  const child = Number(readFileSync(file, 'utf8'));
  await until(() => !isAlive(child));
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    // There is no such process.
    return false;
  }
}

test.each<[string, object, RegExp]>([
  [
    'fails',
    { command: node('console.error("first\\nno such channel"); process.exit(3)') },
    /ended with code 3: no such channel$/,
  ],
  ['is missing', { command: ['/nowhere/notify'] }, /^\/nowhere\/notify was not found/],
  ['is relative to the project', { command: ['./notify.sh'] }, /^\/\S+\/notify\.sh was not found/],
  ['is refused', { webhook: 'http://127.0.0.1:1/hook' }, /^127\.0\.0\.1:1 failed: .*ECONNREFUSED/],
])('what %s says so', async (_, given, failure) => {
  using plan = createPlan();
  const [sent] = await deliver(NEWS, settings(given), { root: plan.root, env: ENV });
  expect(sent?.failure).toMatch(failure);
});

test('a webhook is sent JSON; one that refuses, redirects or never answers is a failure', async () => {
  const send = async (status: number | 'never', timeout = 60) => {
    await using server = await serve(status);
    const given = settings({ webhook: server.url, timeout });
    const sent = await deliver(NEWS, given, { root: '/', env: ENV });
    expect(JSON.stringify(sent)).not.toContain('secret-path');
    return [sent[0]?.failure?.replace(/^\S+ /, ''), ...server.got];
  };
  const body = `POST application/json ${JSON.stringify(NEWS)}`;
  expect(await send(204)).toEqual([undefined, body]);
  expect(await send(500)).toEqual(['answered with status 500', body]);
  expect(await send(302)).toEqual(['answered with status 302', body]);
  expect(await send('never', 3)).toEqual(['did not answer within 3 s', body]);
});

test('the desktop gets the text as text, and the terminal its bell', async () => {
  using plan = createPlan();
  const args = join(plan.root, 'args');
  plan.write('bin/notify-send', `#!/bin/sh\nprintf '%s\\n' "$@" > ${args}\n`);
  const { chmodSync } = await import('node:fs');
  chmodSync(join(plan.root, 'bin/notify-send'), 0o755);
  const terminal = join(plan.root, 'terminal');
  writeFileSync(terminal, '');
  const env = { PATH: `${join(plan.root, 'bin')}:${ENV.PATH}` };
  const both = settings({ desktop: true, bell: true });
  const news = { ...NEWS, title: '--help', text: '<b>bold</b> & more' };
  expect(await deliver(news, both, { root: plan.root, env, terminal })).toEqual([
    { by: 'desktop' },
    { by: 'bell' },
  ]);
  expect(readFileSync(args, 'utf8').split('\n').slice(2)).toEqual([
    '--',
    '--help',
    '&lt;b&gt;bold&lt;/b&gt; &amp; more',
    'saga inbox',
    '',
  ]);
  expect(readFileSync(terminal, 'utf8')).toBe('\u0007');
});

/** One session of a story whose news a webhook gets. */
function openSession(plan: Plan, webhook: string, session: string) {
  const events: Record<string, unknown>[] = [];
  const notifier = new Notifier({
    paths: plan.paths,
    settings: settings({ webhook, on: ['needs-you', 'in-review'], timeout: 20 }),
    ...{ item: 'cart', kind: 'story', session, env: ENV },
    secrets: [{ name: 'MY_TOKEN', value: 'hunter2hunter2' }],
    emit: (type, fields) => void events.push({ type, ...fields }),
  });
  const read = (type: string, fields: object = {}) =>
    notifier.read({ time: '', type, ...fields } as RunEvent);
  read('worktree:start', { path: 'p', branch: 'b' });
  const block = (title: string) =>
    notifier.end({ kind: 'needs-you', cause: { kind: 'blocker', titles: [title] }, reason: title });
  return { events, read, block, notifier };
}

test('the same news is told once, also after a restart; what follows another run is told again', async () => {
  using plan = createPlan();
  await using server = await serve(200);
  const first = openSession(plan, server.url, 's-1');
  await first.block('Which? hunter2hunter2');
  expect(first.events).toEqual([
    { type: 'notify:sent', on: 'needs-you', item: 'cart', by: 'webhook' },
  ]);
  expect(plan.read('.git/saga/runs/told/cart.json')).not.toContain('hunter2');
  expect(server.got[0]).toContain('cart needs you: open blocker: Which? [hidden: MY_TOKEN]');
  await openSession(plan, server.url, 's-2').block('Which? hunter2hunter2');
  expect(server.got).toHaveLength(1);
  await openSession(plan, server.url, 's-3').block('Another?');
  expect(server.got).toHaveLength(2);
  const again = openSession(plan, server.url, 's-4');
  again.read('run:start', { cycle: 1, model: 'm', run: 'r' });
  await again.block('Another?');
  expect(server.got).toHaveLength(3);
});

test('a worker that was killed while it told something does not tell it again', async () => {
  using plan = createPlan();
  await using server = await serve(200);
  const cause: SessionEnd['cause'] = { kind: 'blocker', titles: ['Which?'] };
  const finder = new NewsFinder('cart', 'story', 's-1');
  finder.read({ time: '', type: 'worktree:start', path: 'p', branch: 'b' });
  const news = finder.readEnd({ kind: 'needs-you', cause, reason: '' });
  expect(news && claimNews(plan.paths, news, '2026-01-01T00:00:00Z')).toBe(true);
  await openSession(plan, server.url, 's-2').block('Which?');
  expect(server.got).toEqual([]);
});

test('what the person does not want to hear is not told', async () => {
  using plan = createPlan();
  await using server = await serve(200);
  const { notifier, events } = openSession(plan, server.url, 's-1');
  await notifier.end({ kind: 'limit', cause: { kind: 'limit', of: 'time' }, reason: 'time' });
  expect([server.got, events]).toEqual([[], []]);
});

test('a failure is an event and is kept for saga doctor', async () => {
  using plan = createPlan();
  await using server = await serve(500);
  const { block, events } = openSession(plan, server.url, 's-1');
  await block('Which?');
  const failure = expect.stringMatching(/answered with status 500$/);
  expect(events).toMatchObject([{ type: 'notify:failed', by: 'webhook', reason: failure }]);
  expect(listTold(plan.paths)).toMatchObject([
    { item: 'cart', record: { on: 'needs-you', deliveries: [{ by: 'webhook', failure }] } },
  ]);
});
