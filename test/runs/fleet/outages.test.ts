import { renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TinyDisk } from '../../rig/faults/tiny-disk.ts';
import { startFleet } from '../../rig/worker/fleet.ts';
import { atGate, createGated, handOver, logOf } from '../../rig/worker/gated-story.ts';
import { titleOf } from './rows.ts';

const LONG = { timeout: 900_000 };

test(titleOf('remote away'), LONG, async () => {
  await using it = await createGated();
  await using fleet = await startFleet(it);
  const ant = fleet.agent('ant');
  await handOver(it, fleet);
  await atGate(ant);
  renameSync(it.origin, `${it.origin}.away`);
  it.open();
  await ant.told('ended', 'cart');
  expect(ant.events()).toContainEqual(
    expect.objectContaining({ type: 'ended', outcome: 'needs-you' }),
  );
  renameSync(`${it.origin}.away`, it.origin);
  const runs = () => logOf(ant).match(/"type":"run:start"/g)?.length;
  const before = runs();
  await handOver(it, fleet);
  await ant.told('ended', 'cart', 2);
  expect(ant.events().at(-1)).toMatchObject({ type: 'ended', outcome: 'done' });
  expect(runs()).toBe(before);
  expect(it.pushedStatuses('cart')).toEqual({ one: 'completed', two: 'completed' });
});

test(titleOf('disk full'), LONG, async () => {
  await using it = await createGated();
  await using fleet = await startFleet(it);
  const ant = fleet.agent('ant', { hasSmallDisk: true });
  await handOver(it, fleet);
  await atGate(ant);
  const disk = new TinyDisk(ant.data);
  disk.fillBytes();
  it.open();
  await ant.told('given-back', 'cart');
  await ant.told('unfit');
  expect(ant.events()).toContainEqual(
    expect.objectContaining({ type: 'unfit', reason: expect.stringContaining('its disk is full') }),
  );
  // Nobody else is there yet, and it does not take the story again.
  const { stdout } = await it.saga(['fleet'], { env: fleet.env });
  expect(stdout).toMatch(/! ant +unfit/);
  expect(stdout.replace(/\s+/g, ' ')).toMatch(
    /ant takes no new work: its disk is full: \d+ MB free/,
  );
  expect(stdout.replace(/\s+/g, ' ')).toContain('every machine that fits is held back: ant');
  const bee = fleet.agent('bee');
  await bee.told('ended', 'cart');
  expect(bee.events().at(-1)).toMatchObject({ type: 'ended', outcome: 'done' });
  expect(it.pushedStatuses('cart')).toEqual({ one: 'completed', two: 'completed' });
  disk.free();
  await ant.told('fit');
  expect(ant.events().filter(({ type }) => type === 'taken')).toHaveLength(1);
});
