import { execFileSync } from 'node:child_process';
import type {
  HomeAnswer,
  ProblemsAnswer,
  SessionAnswer,
  SessionsAnswer,
  StoryAnswer,
} from '@saga-ai/types/screens/dashboard';
import { expect, test } from 'vitest';
import { createShop, endedSession } from '../../rig/project/shop.ts';
import { openDashboard } from '../../rig/screens/dashboard.ts';

test('a story comes with tasks, journal, sessions and what its branch changes', async () => {
  using plan = createShop();
  for (const timestamp of [1000, 2000]) {
    plan.write(`.git/saga/runs/sessions/saga-story-pay-${timestamp}.json`, endedSession(timestamp));
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=W', '-c', 'user.email=w@example.org', ...args], {
      cwd: plan.root,
    });
  plan.story('pay', { epic: 'shop', branch: 'story/pay' }, { a: { status: 'completed' }, b: {} });
  git('checkout', '-q', '-B', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'First');
  git('checkout', '-q', '-b', 'story/pay');
  plan.write('pay.ts', 'one\ntwo\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'Pay');
  git('checkout', '-q', 'main');
  await using it = await openDashboard({ paths: plan.paths });
  const answer = await it.json<StoryAnswer>('/api/stories/pay');
  expect(answer).toMatchObject({
    view: { id: 'pay', branch: 'story/pay' },
    story: { description: 'About pay.' },
    tasks: [{ id: 'a' }, { id: 'b' }],
    journal: [{ kind: 'Blocker', title: 'Which sandbox?', body: 'Stripe or Adyen.' }],
    openBlockers: [{ title: 'Which sandbox?' }],
    evidence: null,
    sessions: [{ session: 'saga-story-pay-2000' }, { session: 'saga-story-pay-1000' }],
    diff: { base: 'main', head: 'story/pay', omitted: 0 },
    problems: [],
  });
  expect(answer.diff?.files).toContainEqual({ path: 'pay.ts', added: 2, removed: 0 });
  expect((await it.json<StoryAnswer>('/api/stories/api')).diff).toBeNull();

  // A commit changes no file that is watched: whoever asks again is told when it is known.
  const stream = await it.events();
  git('checkout', '-q', 'story/pay');
  plan.write('more.ts', 'three\n');
  git('add', 'more.ts');
  git('commit', '-q', '-m', 'More');
  git('checkout', '-q', 'main');
  await it.json('/api/stories/pay');
  await stream.until(() => stream.stories().includes('pay'));
  const later = await it.json<StoryAnswer>('/api/stories/pay');
  expect(later.diff?.files.map((file) => file.path)).toEqual(['more.ts', 'pay.ts']);
  stream.leave();
});

test('sessions are listed newest first, and one comes with the tasks of its story', async () => {
  using plan = createShop();
  for (let i = 1; i <= 5; i++) {
    plan.write(`.git/saga/runs/sessions/saga-story-pay-${i}.json`, endedSession(i));
  }
  plan.write('.git/saga/runs/sessions/saga-story-api-3.json', endedSession(3, 'api'));
  await using it = await openDashboard({ paths: plan.paths });
  const page = await it.json<SessionsAnswer>('/api/sessions?story=pay&limit=2');
  expect(page).toMatchObject({
    total: 5,
    items: [{ session: 'saga-story-pay-5', state: 'ended', outputSize: null }, {}],
  });
  const next = await it.json<SessionsAnswer>(
    `/api/sessions?story=pay&limit=2&cursor=${page.cursor}`,
  );
  expect(next.items.map((it) => it.session)).toEqual(['saga-story-pay-3', 'saga-story-pay-2']);
  expect((await it.json<SessionsAnswer>('/api/sessions')).total).toBe(6);
  const one = await it.json<SessionAnswer>('/api/sessions/saga-story-api-3');
  expect(one).toMatchObject({ session: { story: 'api' }, tasks: [{ id: 'a' }, { id: 'b' }] });
  expect((await it.ask('/api/sessions/saga-story-api-4')).status).toBe(404);
  expect((await it.ask('/api/sessions/saga-story-api-3/log')).status).toBe(404);
  expect(await it.json<ProblemsAnswer>('/api/problems')).toEqual({ problems: [], oldPlans: [] });
});

test('broken files are named, and hide nothing else', async () => {
  using plan = createShop();
  plan.write('.saga/stories/api/b.json', '{ "id": "b",');
  plan.write('.saga/stories/empty/notes.txt', 'x');
  plan.write('.saga/epics/bad.json', '[]');
  plan.write('.saga/config.json', '{ "wroker": {} }');
  plan.write('.git/saga/runs/sessions/saga-story-pay-1.json', '{}');
  await using it = await openDashboard({ paths: plan.paths });
  const problems = async () => (await it.json<ProblemsAnswer>('/api/problems')).problems;
  await expect
    .poll(async () => [...new Set((await problems()).map((one) => one.file))].sort())
    .toEqual([
      '.git/saga/runs/sessions/saga-story-pay-1.json',
      '.saga/config.json',
      '.saga/epics/bad.json',
      '.saga/stories/api/b.json',
      '.saga/stories/empty/story.json',
    ]);
  expect((await it.json<HomeAnswer>('/api/home')).counts).toMatchObject({ stories: 5, epics: 1 });
  const api = await it.json<StoryAnswer>('/api/stories/api');
  expect(api).toMatchObject({ tasks: [{ id: 'a' }], view: { ready: false } });
  expect(api.problems.map((one) => one.file)).toContain('.saga/stories/api/b.json');
  const empty = await it.json<StoryAnswer>('/api/stories/empty');
  expect(empty).toMatchObject({ story: { id: 'empty', title: 'empty' }, tasks: [] });
});
