import type { SessionRecord } from '@saga-ai/types/run/session-record';
import { expect, test } from 'vitest';
import { until } from '../../rig/programs/until.ts';
import { startFleet } from '../../rig/worker/fleet.ts';
import { atGate, createGated, handOver } from '../../rig/worker/gated-story.ts';
import { titleOf } from './rows.ts';

const MINUTES_MS = 60_000;

test(titleOf('clocks apart'), {
  timeout: 900_000,
}, async () => {
  await using it = await createGated();
  await using fleet = await startFleet(it);
  const { env } = fleet;
  const began = Date.now();
  const ant = fleet.agent('ant', { clockAheadMs: 5 * MINUTES_MS });
  await handOver(it, fleet);
  await atGate(ant);
  const bee = fleet.agent('bee', { clockAheadMs: -5 * MINUTES_MS });
  await bee.told('ready');
  ant.process.kill('SIGTERM');
  expect(await ant.ended).toBe(0);
  await atGate(bee);
  const look = async () => JSON.parse((await it.saga(['status', '--json'], { env })).stdout);
  await until(async () => (await look()).stories[0].session?.activity?.includes('while') ?? false);
  expect((await look()).stories[0]).toMatchObject({ state: 'running', running: true });
  it.open();
  await bee.told('ended', 'cart');
  expect((await look()).stories[0]).toMatchObject({ state: 'in review', running: false });
  const sessions = await it.saga(['sessions', '--json'], { env });
  const found = JSON.parse(sessions.stdout).sessions as (SessionRecord & { state: string })[];
  expect(found.map(({ machine, outcome }) => [machine, outcome])).toEqual([
    ['bee', 'done'],
    ['ant', 'stopped'],
  ]);
  for (const { startedAt, endedAt = '' } of found) {
    expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(began);
    expect(Date.parse(endedAt)).toBeGreaterThan(Date.parse(startedAt));
    expect(Date.parse(endedAt)).toBeLessThanOrEqual(Date.now());
  }
  expect((await it.saga(['logs', 'cart'], { env })).stdout).toContain('done');
});
