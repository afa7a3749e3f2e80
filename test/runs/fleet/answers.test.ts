import { expect, test } from 'vitest';
import { until } from '../../rig/programs/until.ts';
import { createEpics } from '../../rig/worker/epics.ts';
import { startFleet } from '../../rig/worker/fleet.ts';

test('a question of a story on another machine is answered from here, and its epic goes on', {
  timeout: 900_000,
}, async () => {
  await using it = await createEpics({
    epics: { shop: { a: [] } },
    tasks: { a: { first: {}, second: { blockedBy: ['first'] } } },
    rehearsals: { second: { blocker: { title: 'Which sandbox?', body: 'Stripe or Adyen.' } } },
  });
  await using fleet = await startFleet(it);
  const { env } = fleet;
  const ant = fleet.agent('ant');
  await ant.told('ready');
  expect(await it.saga(['run', 'shop', '--engine', '--no-pr'], { env })).toMatchObject({ code: 0 });
  await ant.told('ended', 'a');
  await until(async () => (await it.saga(['inbox'], { env })).stdout.includes('Which sandbox?'));
  const resolved = await it.saga(['resolve', 'a', '--with', 'Stripe.'], { env });
  expect(resolved).toMatchObject({ code: 0, stdout: expect.stringContaining('origin/story/a') });
  expect(await it.saga(['wait', 'shop'], { env, timeout: 600_000 })).toMatchObject({ code: 0 });
  it.git('fetch', '-q', 'origin');
  const journal = it.git('show', 'origin/epic/shop:.saga/stories/a/journal.md');
  // The answer, and that a run was told of it.
  expect(journal.match(/Resolution: Which sandbox\?\n\nStripe\./g)).toHaveLength(1);
  expect(journal.match(/Resolution: Which sandbox\?/g)).toHaveLength(2);
  expect(ant.events().filter((event) => event.type === 'taken' && event.id === 'a')).toHaveLength(
    2,
  );
});
