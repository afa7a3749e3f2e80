import { join } from 'node:path';
import { walkTasks } from '@saga-ai/model';
import { expect, test } from 'vitest';
import { GITHUB_URL, startGitHub } from '../../rig/github/github.ts';
import { createCheckedStory } from '../../rig/project/checked-story.ts';
import { createProject } from '../../rig/project/project.ts';
import { eventually, openScreen } from '../../rig/screens/browser.ts';
import { remark } from '../../rig/screens/remark.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';

const REMARK = 'Say it louder.';

test('a remark on the page is worked on by one run and answered with its commit', async () => {
  const walk = walkTasks();
  const command = 'echo LOUD > loud.txt && git add -A && git commit -q -m "Louder"';
  const policy: typeof walk = (conversation) => {
    if (!conversation.prompt.includes(REMARK)) return walk(conversation);
    return conversation.calls.length > 0
      ? { text: 'Done.' }
      : { calls: [{ tool: 'Bash', input: { command } }] };
  };
  await using it = await createWorkshop({ model: { policy } });
  using tmux = createTmuxServer();
  it.story('cart', { title: 'A cart', verify: 'true' }, { one: {} });
  expect((await it.saga(['worker', 'cart'])).code).toBe(0);
  const asked = it.model.requests.length;

  await using screen = await openScreen(it.paths, {
    env: { ...it.environment, ...tmux.environment },
  });
  const page = await screen.open('/stories/cart/review');
  await remark(page, 'new 1', REMARK);
  await page.getByRole('button', { name: 'Run again with 1 remark' }).click();
  await page.getByText('Filed 1 remark.').waitFor();

  // The new commit comes onto the page by itself.
  await page.getByText('added: LOUD').waitFor();
  await eventually(() => it.readStory('cart', 'journal.md')).toMatch(/Resolution: .*Say it louder/);
  const told = JSON.stringify(it.model.requests.slice(asked).map(({ body }) => body));
  expect(told).toContain(`:1: ${REMARK}`);
  const journal = it.readStory('cart', 'journal.md');
  const commit = it.git('log', '-1', '--format=%h', '--grep=Louder', 'story/cart').trim();
  expect(journal.slice(journal.indexOf('Resolution:'))).toContain(commit);
  await screen.visit(page, '/');
  const queue = page.getByRole('region', { name: 'To review' });
  await queue.getByText('✓ gate passed').waitFor();
  await queue.getByRole('link', { name: 'Open #1' }).waitFor();
  expect(screen.complaints).toEqual([]);
});

test('a pull request is merged from the page by its rules; a red check is a refusal', async () => {
  using it = createProject();
  await using github = await startGitHub({ origin: it.origin });
  it.git('remote', 'add', 'github', GITHUB_URL);
  await createCheckedStory(it, 'cart', undefined, github.environment);
  const sessions = join(it.folder, 'sessions');
  const env = { ...it.env, ...github.environment, SAGA_SESSION_DIR: sessions };
  await using screen = await openScreen(it.paths, { env });
  const page = await screen.open('/stories/cart/review');
  const dialog = page.getByRole('dialog', { name: 'Land cart' });
  const land = async () => {
    await page.getByRole('button', { name: 'Land …' }).click();
    await dialog.getByText('by pull request').waitFor();
    await dialog.getByRole('button', { name: 'Merge into main' }).click();
  };
  github.checksOf = () => [{ name: 'lint', state: 'failed' }];
  await land();
  await dialog.getByText('✗ Story cart was not merged: checks of #1 failed: lint.').waitFor();
  expect(github.pulls[0]?.state).toBe('OPEN');
  await dialog.getByRole('button', { name: 'Close' }).click();

  github.checksOf = () => [{ name: 'lint', state: 'passed' }];
  await land();
  await dialog.getByText('✓ cart is merged into main by #1').waitFor();
  expect(github.pulls[0]?.state).toBe('MERGED');
  expect(screen.complaints).toEqual([]);
});
