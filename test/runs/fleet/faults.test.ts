import { openEngine } from '@saga-ai/engine/open-engine';
import { expect, test } from 'vitest';
import { until } from '../../rig/programs/until.ts';
import { SHORT_LEASES, startFleet, useGitHub } from '../../rig/worker/fleet.ts';
import { atGate, createGated, handOver, logOf, tipOf } from '../../rig/worker/gated-story.ts';
import { titleOf } from './rows.ts';

const LONG = { timeout: 900_000 };

test(titleOf('killed'), LONG, async () => {
  await using it = await createGated();
  useGitHub(it);
  await using fleet = await startFleet(it, SHORT_LEASES);
  const ant = fleet.agent('ant');
  await handOver(it, fleet);
  await atGate(ant);
  const bee = fleet.agent('bee');
  await bee.told('ready');
  ant.process.kill('SIGKILL');
  await ant.ended;
  fleet.endLeases(ant);
  await bee.told('taken', 'cart');
  it.open();
  await bee.told('ended', 'cart');
  expect(bee.events()).toContainEqual(expect.objectContaining({ type: 'ended', outcome: 'done' }));
  expect(it.pushedStatuses('cart')).toEqual({ one: 'completed', two: 'completed' });
  expect(it.github.pulls).toMatchObject([{ head: 'story/cart', isDraft: false }]);
  it.git('fetch', '-q', 'origin');
  const leases = it.git(
    'log',
    '--format=%(trailers:key=Saga-Lease,valueonly)',
    'origin/story/cart',
  );
  expect(leases.match(/\d+/g)).toEqual(['2']);
  const sessions = await it.saga(['sessions', '--json'], { env: fleet.env });
  const found = JSON.parse(sessions.stdout).sessions as { machine: string; state: string }[];
  expect(found.map(({ machine, state }) => [machine, state])).toEqual([
    ['bee', 'ended'],
    ['ant', 'died'],
  ]);
});

test(titleOf('frozen'), LONG, async () => {
  await using it = await createGated();
  await using fleet = await startFleet(it, SHORT_LEASES);
  const ant = fleet.agent('ant');
  await handOver(it, fleet);
  await atGate(ant);
  ant.process.kill('SIGSTOP');
  fleet.endLeases(ant);
  const bee = fleet.agent('bee');
  await bee.told('taken', 'cart');
  it.open();
  await bee.told('ended', 'cart');
  const tip = tipOf(it);
  ant.process.kill('SIGCONT');
  await ant.told('lost', 'cart');
  await until(() => logOf(ant).includes('"worker:end"'));
  expect(logOf(ant)).toMatch(/"push:failed".*lease 1 is over/);
  expect(tipOf(it)).toBe(tip);
  expect(ant.events().filter(({ type }) => type === 'ended')).toEqual([]);
  // It is a machine like any other again, and its own copy of the story does not stand in the way.
  bee.process.kill('SIGTERM');
  expect(await bee.ended).toBe(0);
  const said = await it.saga(['feedback', 'cart', 'Say thanks.'], { env: fleet.env });
  expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining('origin/story/cart') });
  await handOver(it, fleet);
  await ant.told('ended', 'cart');
  expect(ant.events()).toContainEqual(expect.objectContaining({ type: 'ended', outcome: 'done' }));
  expect(it.git('log', '--oneline', `${tip}..origin/story/cart`)).not.toBe('');
});

test(titleOf('database away'), LONG, async () => {
  await using it = await createGated();
  await using fleet = await startFleet(it);
  const ant = fleet.agent('ant');
  await handOver(it, fleet);
  await atGate(ant);
  await fleet.postgres.stop();
  await ant.told('away');
  const status = await it.saga(['status'], { env: fleet.env });
  expect(status).toMatchObject({ code: 0, stderr: expect.stringContaining('as last known here') });
  expect(status.stderr).not.toContain(fleet.postgres.password);
  await fleet.postgres.start();
  await ant.told('back');
  it.open();
  await ant.told('ended', 'cart');
  expect(it.pushedStatuses('cart')).toEqual({ one: 'completed', two: 'completed' });
});

test(titleOf('stopped'), LONG, async () => {
  await using it = await createGated();
  await using fleet = await startFleet(it);
  const ant = fleet.agent('ant');
  await handOver(it, fleet);
  await atGate(ant);
  const bee = fleet.agent('bee');
  await bee.told('ready');
  ant.process.kill('SIGTERM');
  await ant.told('given-back', 'cart');
  expect(await ant.ended).toBe(0);
  it.open();
  await bee.told('ended', 'cart');
  expect(it.pushedStatuses('cart')).toEqual({ one: 'completed', two: 'completed' });
});

test(titleOf('does not fit'), LONG, async () => {
  await using it = await createGated({ gate: { verify: 'true' } });
  it.open();
  await using fleet = await startFleet(it);
  const wrong = fleet.agent('eve', {
    env: { SAGA_ENGINE_URL: fleet.postgres.url.replace(/:[^:@/]+@/, ':wrong-word@') },
  });
  expect(await wrong.ended).toBe(1);
  expect(wrong.said()).toContain('engine-');
  expect(wrong.said()).not.toContain('wrong-word');
  const careful = fleet.agent('fox', { isTrusted: false });
  await handOver(it, fleet);
  await careful.told('ended', 'cart');
  expect(careful.events()).toContainEqual(
    expect.objectContaining({ outcome: 'error', reason: expect.stringContaining('not agreed') }),
  );
  const twin = fleet.agent('fox-2', { args: ['--name', 'fox'] });
  expect(await twin.ended).toBe(1);
  expect(twin.said()).toContain('machine-name-taken');
  const engine = await openEngine({ url: fleet.postgres.url, name: 'test', role: 'reader' });
  try {
    const [first] = await engine.machines.list();
    expect(first).toMatchObject({ name: 'fox', labels: ['_saga-0.1'] });
    const { nameRepository } = await import('@saga-ai/core/fleet/repository-name');
    const repository = nameRepository(it.origin);
    const job = { repository, kind: 'story', flags: {}, anyway: false, by: 'test' } as const;
    await engine.jobs.offer({ ...job, id: 'newer', needs: ['_saga-9.9'] });
    await engine.jobs.offer({ ...job, id: 'heavy', needs: ['gpu', '_saga-0.1'] });
    const other = { ...job, repository: nameRepository('https://example.org/other'), needs: [] };
    await engine.jobs.offer({ ...other, id: 'foreign' });
    const { stdout } = await it.saga(['fleet'], { env: fleet.env });
    expect(stdout).toContain('it needs SAGA 9.9');
    expect(stdout).toContain('no machine has the label gpu');
    expect(stdout).not.toContain('foreign');
    expect(careful.events().filter(({ type }) => type === 'taken')).toHaveLength(1);
  } finally {
    await engine.close();
  }
});
