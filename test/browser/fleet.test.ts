import { nameRepository } from '@saga-ai/core/fleet/repository-name';
import { initEngine, openEngine } from '@saga-ai/engine/open-engine';
import { expect, test } from 'vitest';
import { createFleetDesk } from '../../packages/cli/src/fleet/fleet-desk.ts';
import { startPostgres } from '../rig/postgres/start-postgres.ts';
import { createProject } from '../rig/project/project.ts';
import { commitAll } from '../rig/project/repository.ts';
import { expectNoBarriers, expectNoOverflow, openScreen } from '../rig/screens/browser.ts';

test('the page of the fleet: who works on what, why something waits, and a machine that is paused', async () => {
  await using postgres = await startPostgres();
  await initEngine(postgres.url);
  using it = createProject({ tasks: ['one'] });
  it.story('cart', { title: 'Cart' }, { one: {} });
  it.story('train', { title: 'Train' }, { one: {} });
  commitAll(it.gitIn, it.root, 'Plan');
  const repository = nameRepository(it.git('remote', 'get-url', 'origin').trim());
  const engine = await openEngine({ url: postgres.url, name: 'test', role: 'reader' });
  const job = { repository, kind: 'story', flags: {}, anyway: false, by: 'desk' } as const;
  await engine.jobs.offer({ ...job, id: 'cart', needs: [] });
  await engine.jobs.offer({ ...job, id: 'train', needs: ['gpu'] });
  const anna = { instance: 'a', labels: ['linux'], jobs: 2, repositories: [repository] };
  const versions = { sagaVersion: '0.1.0', clientVersion: '2.1.325' };
  await engine.machines.report({ name: 'anna', ...anna, ...versions });
  const trouble = 'its disk is full: 3 MB free in /var/lib/saga';
  await engine.machines.report({ name: 'bert', ...anna, ...versions, trouble });
  const who = { machine: 'anna', labels: ['linux'], repositories: [repository] };
  const [lease] = await engine.jobs.take(who, 'story', 1);

  process.env.SAGA_ENGINE_URL = postgres.url;
  // The machine reports twice only, and the test may take its time.
  process.env.SAGA_ENGINE_LEASE_SECONDS = '3600';
  await using screen = await openScreen(it.paths, {
    env: it.env,
    fleet: createFleetDesk(it.paths),
  });
  const page = await screen.open('/');
  await page.getByRole('link', { name: 'Fleet' }).click();
  await page.getByText('1 of 2 slots').waitFor();
  await page.getByText('no machine has the label gpu').waitFor();
  await page.locator('a[href="/stories/cart"]', { hasText: 'cart' }).waitFor();
  await page.getByText(`takes no new work: ${trouble}`).waitFor();
  expect(await page.content()).not.toContain(encodeURIComponent(postgres.password));
  await expectNoBarriers(page);

  await page.getByRole('button', { name: 'Pause anna' }).click();
  await page.getByText('anna takes nothing new.').waitFor();
  await page.getByRole('button', { name: 'Resume anna' }).waitFor();
  expect(await engine.machines.report({ name: 'anna', ...anna, ...versions })).toBe('paused');

  await lease?.finish({ kind: 'done', reason: 'all tasks completed', exitCode: 0 });
  await page.getByText('Ended lately').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoBarriers(page);
  await expectNoOverflow(page);
  expect(screen.complaints).toEqual([]);
  await engine.close();
});

test('without an engine there is no page of the fleet in the bar', async () => {
  using it = createProject({ tasks: ['one'] });
  await using screen = await openScreen(it.paths, { env: it.env });
  // Home is shown by the answer that also says whether there is a fleet.
  const page = await screen.open('/');
  expect(await page.getByRole('navigation').getByRole('link', { name: 'Fleet' }).count()).toBe(0);
  await screen.visit(page, '/fleet');
  await page.getByText('There is no fleet.').waitFor();
});
