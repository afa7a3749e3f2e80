import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { News } from '@saga-ai/types/run/news';
import { expect, test } from 'vitest';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

const ASKS = { two: { blocker: { title: 'Which sandbox?', body: 'Stripe or Adyen.' } } };

/** A command that keeps every news, one a line. */
function keepNews(it: Workshop): { command: string[]; news(): News[] } {
  const file = join(it.home, 'news');
  return {
    command: [
      'sh',
      '-c',
      'cat >> "$0"; env | grep -c "^ANTHROPIC\\|^GH_TOKEN" >> "$0.env"; true',
      file,
    ],
    news: () =>
      existsSync(file)
        ? readFileSync(file, 'utf8')
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
  };
}

test('a person is told once that a story asks, and again that it is in review', async () => {
  await using it = await createWorkshop({ rehearsals: ASKS });
  const { command, news } = keepNews(it);
  it.write('.saga/config.json', { notify: { command } });
  it.story('cart', {}, { one: {}, two: { blockedBy: ['one'] } });
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 3 });
  const [asked] = news();
  expect(asked).toMatchObject({
    ...{ version: 1, on: 'needs-you', kind: 'story', id: 'cart', next: 'saga resolve cart' },
    ...{ title: 'cart needs you', project: it.root },
    text: 'cart needs you: open blocker: Which sandbox?',
  });
  expect(
    it
      .events()
      .slice(-2)
      .map(({ type }) => type),
  ).toEqual(['notify:sent', 'worker:end']);
  // A second worker finds the same question.
  expect(await it.saga(['run', 'cart', '--foreground'])).toMatchObject({ code: 3 });
  expect(news()).toHaveLength(1);
  await it.saga(['resolve', 'cart', '--with', 'Stripe.']);
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  expect(news().map(({ on }) => on)).toEqual(['needs-you', 'in-review']);
  // A story that is in review is not news a second time.
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  expect(news()).toHaveLength(2);
  // The command has nothing of the model and of GitHub.
  expect(readFileSync(join(it.home, 'news.env'), 'utf8')).toBe('0\n0\n');
});

test('a notify command that hangs does not change how a story ends, and its failure is shown', async () => {
  await using it = await createWorkshop();
  it.write('.saga/config.json', { notify: { command: ['sleep', '1000'], timeout: 1 } });
  it.story('cart', {}, { one: {} });
  const { code, stdout } = await it.saga(['worker', 'cart']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/! not told .*in-review, by command: sleep took longer than 1 s/);
  expect(it.events().slice(-2)).toMatchObject([
    { type: 'notify:failed', on: 'in-review', item: 'cart', by: 'command' },
    { type: 'worker:end', kind: 'done' },
  ]);
  const logs = await it.saga(['logs', 'cart'], { env: { COLUMNS: '200' } });
  expect(logs.stdout).toContain('sleep took longer than 1 s and was killed');
  const notify = await it.saga(['notify'], { env: { COLUMNS: '200' } });
  expect(notify.stdout).toMatch(/could not be told:\n✗ cart in-review · .* · command: sleep took/);
});

test('an epic tells of each story that it merged, and of its own end', async () => {
  await using it = await createWorkshop();
  const { command, news } = keepNews(it);
  it.write('.saga/config.json', { notify: { command, on: ['done', 'epic-done', 'needs-you'] } });
  it.epic('shop', { one: [], two: ['one'] });
  for (const id of ['one', 'two']) it.story(id, { epic: 'shop' }, { [id]: {} });
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan it');
  it.git('push', '-q', 'origin', 'main');
  expect(await it.saga(['run', 'shop', '--foreground'])).toMatchObject({ code: 0 });
  // Each is sent at once, so two in a row may arrive in any order.
  const told = news().map(({ on, id }) => `${on} ${id}`);
  expect(told.toSorted()).toEqual(['done one', 'done two', 'epic-done shop']);
  expect(await it.saga(['run', 'shop', '--foreground'])).toMatchObject({ code: 0 });
  expect(news()).toHaveLength(3);
});

test('commands and webhooks of a repository need trust', async () => {
  await using it = await createWorkshop();
  it.write('.saga/config.json', { notify: { command: ['touch', 'told'] } });
  it.story('cart', {}, { one: {} });
  const strict = { env: { SAGA_TRUST: '0' } };
  for (const args of [
    ['notify', '--test'],
    ['worker', 'cart'],
  ]) {
    const { code, stderr } = await it.saga(args, strict);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/notify\.command.*\[untrusted\]/s)]);
  }
  expect(existsSync(join(it.root, 'told'))).toBe(false);
  // What people set for themselves is theirs.
  it.write('.saga/config.json', {});
  const own = JSON.stringify(['touch', join(it.root, 'told')]);
  expect(await it.saga(['config', 'notify.command', own], strict)).toMatchObject({ code: 0 });
  expect(it.read('.saga/config.json')).toBe('{}\n');
  const tried = await it.saga(['notify', '--test'], strict);
  expect([tried.code, tried.stdout]).toEqual([
    0,
    expect.stringMatching(/^✓ command: touch .* · sent\n$/),
  ]);
  expect(existsSync(join(it.root, 'told'))).toBe(true);
});
