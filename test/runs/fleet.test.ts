import { expect, test } from 'vitest';
import { startFleet } from '../rig/worker/fleet.ts';
import { createWorkshop } from '../rig/worker/workshop.ts';

test('a machine takes a story that was handed over, works on it in its own clone, and pushes it', async () => {
  await using it = await createWorkshop();
  it.story('cart', {}, { one: {}, two: {} });
  await using fleet = await startFleet(it);
  const early = await it.saga(['run', 'cart', '--engine'], { env: fleet.env });
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('Push the plan first') });
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan it');
  it.git('push', '-q', 'origin', 'main');
  const run = await it.saga(['run', 'cart', '--engine'], { env: fleet.env });
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('no machine is there') });
  const builder = fleet.agent('builder-1', { args: ['--once'] });
  await builder.told('ended', 'cart');
  expect(builder.events()).toContainEqual(
    expect.objectContaining({ type: 'ended', id: 'cart', outcome: 'done' }),
  );
  expect(await builder.ended).toBe(0);
  expect(it.pushedStatuses('cart')).toEqual({ one: 'completed', two: 'completed' });
});
