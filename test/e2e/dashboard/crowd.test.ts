import { expect, test } from 'vitest';
import { createShop } from '../../rig/project/shop.ts';
import { openDashboard } from '../../rig/screens/dashboard.ts';

test('two hundred pages follow at once, all are told, and none is kept once it has left', async () => {
  using plan = createShop();
  await using it = await openDashboard({ paths: plan.paths });
  await it.dashboard.isFollowing;
  const streams = await Promise.all(Array.from({ length: 200 }, () => it.events()));
  const task = { id: 'b', subject: 'Do b', description: '', status: 'in_progress', blockedBy: [] };
  plan.write('.saga/stories/pay/b.json', task);
  await Promise.all(streams.map((stream) => stream.until(() => stream.stories().includes('pay'))));
  const ids = new Set(
    streams.map(({ got }) => got.find(({ data }) => data.stories.includes('pay'))?.id),
  );
  expect(ids.size).toBe(1);
  for (const stream of streams) stream.leave();
  const late = await it.events();
  plan.write('.saga/stories/pay/b.json', { ...task, status: 'completed' });
  await late.until(() => late.stories().includes('pay'));
  expect((await it.ask('/api/home')).status).toBe(200);
});
