import { expect, test } from 'vitest';
import { until } from '../../rig/programs/until.ts';
import { openScreen, textOf } from '../../rig/screens/browser.ts';
import { createEpics, look, pick, readEvents } from '../../rig/worker/epics.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';

test('a question is answered on the page of the run, and the scheduler that waits goes on', async () => {
  await using it = await createEpics({
    epics: { shop: { ask: [], after: ['ask'], beside: [] } },
    rehearsals: {
      ask: { blocker: { title: 'Which currency?' }, write: { 'ask.txt': 'Euro\n' }, commit: 'Ask' },
    },
  });
  using tmux = createTmuxServer();
  const env = { ...it.environment, ...tmux.environment };
  await using screen = await openScreen(it.paths, { env });
  const page = await screen.open('/epics/shop', { token: true });
  expect((await it.saga(['run', 'shop'], { env: tmux.environment })).code).toBe(0);
  const head = page.getByRole('region', { name: 'Run', exact: true });
  await head.getByText('waits for you', { exact: true }).waitFor();
  const holdUps = page.getByRole('region', { name: 'What holds it up' });
  await textOf(holdUps).toContain('Which currency?holds up 1 story');

  await page.getByRole('list', { name: 'Stories over time' }).getByText('Story ask').click();
  const inspector = page.getByRole('complementary');
  await inspector.getByRole('textbox').fill('Euro');
  await inspector.getByRole('button', { name: 'Answer and go on' }).click();
  await until(() => pick(readEvents(it), 'worker:end').length > 0);
  expect(pick(readEvents(it), 'epic:start')).toHaveLength(1);
  expect((await look(it)).states).toEqual({ ask: 'done', after: 'done', beside: 'done' });

  // The page became the report.
  await head.getByText('3 of 3 merged').waitFor();
  const report = page.getByRole('region', { name: 'Report' });
  await report.getByText('Waited for you').waitFor();
  await textOf(report).toMatch(/Critical path.*2 stories/);
  expect(screen.complaints).toEqual([]);
});
