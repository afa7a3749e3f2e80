import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameRepository } from '@saga-ai/core/fleet/repository-name';
import { buildPaths, heldFolder } from '@saga-ai/core/project/paths';
import { expect, test } from 'vitest';
import { until } from '../../rig/programs/until.ts';
import { completeStory } from '../../rig/project/done.ts';
import { openDashboard } from '../../rig/screens/dashboard.ts';
import { startFleet } from '../../rig/worker/fleet.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

/** Programs of several machines share this one. */
const LONG = { timeout: 600_000 };

function push(it: Workshop, to = 'main'): void {
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan it');
  it.git('push', '-q', 'origin', `main:${to}`);
}

test(
  'a machine takes a story that was handed over, works on it in its own clone, and pushes it',
  LONG,
  async () => {
    await using it = await createWorkshop();
    it.story('cart', {}, { one: {}, two: {} });
    await using fleet = await startFleet(it);
    const early = await it.saga(['run', 'cart', '--engine'], { env: fleet.env });
    expect(early).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Push the plan first'),
    });
    push(it, 'develop');
    const based = { ...fleet.env, SAGA_WORKTREE_BASE_BRANCH: 'develop' };
    const elsewhere = await it.saga(['run', 'cart', '--engine'], { env: based });
    expect(elsewhere).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('to the default branch main'),
    });
    it.git('push', '-q', 'origin', 'main');
    const run = await it.saga(['run', 'cart', '--engine'], { env: fleet.env });
    expect(run).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('no machine works for this repository'),
    });
    const said = await it.saga(['feedback', 'cart', 'Say thanks.'], { env: fleet.env });
    expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining('the queue') });
    const builder = fleet.agent('builder-1', { args: ['--once'] });
    await builder.told('ended', 'cart');
    expect(builder.events()).toContainEqual(
      expect.objectContaining({ type: 'ended', id: 'cart', outcome: 'done' }),
    );
    expect(await builder.ended).toBe(0);
    expect(it.pushedStatuses('cart')).toEqual({ one: 'completed', two: 'completed' });
    it.git('fetch', '-q', 'origin');
    const journal = it.git('show', 'origin/story/cart:.saga/stories/cart/journal.md');
    expect(journal.match(/Feedback: Say thanks\./g)).toHaveLength(1);
  },
);

test(
  'what a machine noted of other machines earlier does not hold up the story that it takes now',
  LONG,
  async () => {
    await using it = await createWorkshop();
    for (const id of ['first', 'cart']) it.story(id, { epic: 'shop' }, { one: {} });
    it.story('other', {}, { one: {} });
    it.epic('shop', { first: [], cart: ['first'] });
    completeStory(it, 'first');
    push(it);
    await using fleet = await startFleet(it);
    const builder = fleet.agent('builder-1');
    for (const id of ['other', 'cart']) {
      expect(await it.saga(['run', id, '--engine'], { env: fleet.env })).toMatchObject({ code: 0 });
      await builder.told('ended', id);
      if (id === 'cart') break;
      // As if it had lost the epic while another machine worked on the first story.
      const { key } = nameRepository(it.origin);
      const held = heldFolder(buildPaths(join(builder.data, 'fleet', key, 'repository')));
      mkdirSync(held, { recursive: true });
      writeFileSync(join(held, 'first'), 'builder-2\n');
    }
    expect(builder.events()).toContainEqual(
      expect.objectContaining({ type: 'ended', id: 'cart', outcome: 'done' }),
    );
  },
);

const FOREVER = 'tail -f /dev/null --pid=$$';
/** Each message interrupts one; the last one is under way when the story is stopped. */
const ENDLESS = { run: [FOREVER, FOREVER, FOREVER] };

test('what a machine does is seen, and steered, from another one', LONG, async () => {
  await using it = await createWorkshop({ rehearsals: { endless: ENDLESS } });
  it.story('cart', {}, { one: {}, endless: {} });
  push(it);
  await using fleet = await startFleet(it);
  const { env } = fleet;
  const builder = fleet.agent('builder-1');
  await builder.told('ready');
  expect(await it.saga(['run', 'cart', '--engine'], { env })).toMatchObject({ code: 0 });
  await builder.told('taken', 'cart');
  const status = async () => JSON.parse((await it.saga(['status', '--json'], { env })).stdout);
  const cart = async () =>
    (await status()).stories.find((story: { id: string }) => story.id === 'cart');
  await until(async () => (await cart()).session?.activity?.includes('tail -f') ?? false);
  expect(await cart()).toMatchObject({ state: 'running', running: true });
  const { stdout: sessions } = await it.saga(['sessions'], { env });
  expect(sessions).toContain('on builder-1');
  expect((await it.saga(['logs', 'cart'], { env })).stdout).toContain('tail -f /dev/null');
  expect(await it.saga(['run', 'cart'], { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('builder-1'),
  });
  const { stdout: machines } = await it.saga(['fleet'], { env });
  expect(machines).toMatch(/builder-1 +working +cart/);
  expect(machines).not.toContain(fleet.postgres.password);
  const told = await it.saga(['tell', 'cart', 'Round to cents.', '--interrupt'], { env });
  expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining('sent to builder-1') });
  await until(async () =>
    (await it.saga(['logs', 'cart'], { env })).stdout.includes('Round to cents'),
  );
  await using page = await openDashboard({ paths: it.paths, env: { ...it.environment, ...env } });
  const again = await page.act('/api/stories/cart/tell', { text: 'Add a test.', interrupts: true });
  expect(again, again.text).toMatchObject({ status: 200 });
  await until(async () => (await it.saga(['logs', 'cart'], { env })).stdout.includes('Add a test'));
  const stopped = await it.saga(['stop', 'cart'], { env });
  expect(stopped).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('stopped on builder-1'),
  });
  // The engine knows it first; then the machine says it.
  await builder.told('ended', 'cart');
  expect(builder.events()).toContainEqual(
    expect.objectContaining({ type: 'ended', id: 'cart', outcome: 'stopped' }),
  );
  // The dashboard may be bringing in news of before, and a command leaves that to it.
  await until(async () => (await cart()).running === false);
});
