import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGitHubProject } from '../../../../../test/rig/github/github-project.ts';
import { loadStory, saveTaskFields } from '../../plan/stories.ts';

test('opened as a draft once, with labels; found the next time; its address is in the story', async () => {
  await using scene = await createGitHubProject({ b: { blockedBy: ['c'] }, c: {} });
  const { it, github, open } = scene;
  const config = { pullRequest: { labels: ['saga', 'night'] } };
  const { url } = await open(config);
  await open(config);
  expect(github.pulls).toHaveLength(1);
  expect(github.pulls[0]).toMatchObject({
    title: 'Story: x',
    head: 'story/x',
    base: 'main',
    isDraft: true,
    labels: ['saga', 'night'],
  });
  expect(loadStory(it.paths, 'x').story.pr).toBe(url);
  expect(it.said('pull-request:found')).toMatchObject([{ number: 1, draft: true }]);
  expect(github.pulls[0]?.body.match(/- \[ \] Do \w/g)).toEqual(['- [ ] Do c', '- [ ] Do b']);
  expect(github.unknown).toEqual([]);
});

test('an address that a killed worker saved and did not commit is committed by the next one', async () => {
  await using scene = await createGitHubProject();
  const { it, open } = scene;
  await open();
  const inside = (...args: string[]) => it.git('-C', join(it.worktrees, 'x'), ...args);
  expect(inside('log', '-1', '--format=%s')).toBe('saga: pull request of x\n');
  inside('reset', '-q', '--soft', 'HEAD~1');
  inside('reset', '-q');
  await open();
  expect(inside('log', '-1', '--format=%s')).toBe('saga: pull request of x\n');
  expect(inside('status', '--porcelain')).toBe('');
});

test('the checklist follows the tasks, around what a person wrote', async () => {
  await using scene = await createGitHubProject({ one: {}, two: {} });
  const { it, github, open } = scene;
  const pull = await open();
  const [there] = github.pulls;
  if (there) there.body = `Look at the tests first.\n\n${there.body}\n\nThanks!`;
  await saveTaskFields(it.paths, 'x', 'two', { status: 'completed' });
  await Promise.all([pull.refresh(), pull.refresh(), pull.refresh()]);
  expect(there?.body).toMatch(/^Look at the tests first\.\n\n<!--[\s\S]*-->\n\nThanks!$/);
  expect(there?.body).toContain('- [ ] Do one (`one`)\n- [x] Do two (`two`)');
});

test('ready after the gate, with evidence and reviewers, and not a second time', async () => {
  await using scene = await createGitHubProject();
  const { it, github, open, gate, complete } = scene;
  const config = { pullRequest: { reviewers: ['ada', 'acme/owners'] } };
  await open(config);
  await complete();
  const evidence = await gate();
  const pull = await open(config);
  await pull.markReady(evidence);
  expect(github.pulls[0]).toMatchObject({ isDraft: false, reviewers: ['ada', 'owners'] });
  expect(github.pulls[0]?.body).toContain('| pushed | passed | story/x is on origin |');
  const again = await open(config);
  await again.markReady(evidence);
  expect(it.said('pull-request:ready').map((event) => event.wasDraft)).toEqual([true, false]);
  const asked = github.requests.filter((it) => it.operation === 'PullRequestReadyForReview');
  expect(asked).toHaveLength(1);
});

test.each(['MERGED', 'CLOSED'] as const)(
  'one that is %s is not proposed again, unless there is new work',
  async (state) => {
    await using scene = await createGitHubProject();
    const { it, github, open, gate, complete } = scene;
    await open();
    await complete();
    await gate();
    for (const pull of github.pulls) pull.state = state;
    await open();
    expect(github.pulls).toHaveLength(1);
    expect(it.said('pull-request:skipped').map((event) => event.reason)).toEqual([
      state === 'MERGED'
        ? '#1 is merged already'
        : '#1 was closed; to take it up again: gh pr reopen 1',
    ]);
    await saveTaskFields(it.paths, 'x', 'one', { status: 'pending' });
    await open();
    expect(github.pulls).toMatchObject([{ state }, { number: 2, isDraft: true }]);
    expect(it.said('pull-request:created').at(-1)).toMatchObject({ earlier: { number: 1, state } });
  },
);

test('an error of GitHub in the middle costs no more than what failed', async () => {
  await using scene = await createGitHubProject();
  const { it, github, open, gate, complete } = scene;
  github.faults.push('POST labels');
  const config = { pullRequest: { labels: ['saga'], reviewers: ['ada'] } };
  const pull = await open(config);
  expect(loadStory(it.paths, 'x').story.pr).toBe(pull.url);
  await complete();
  const evidence = await gate();
  github.faults.push('PATCH body', 'PullRequestReadyForReview', 'POST requested_reviewers');
  await pull.markReady(evidence);
  expect(github.pulls).toMatchObject([{ isDraft: false }]);
  expect(it.said('pull-request:not-updated').map((event) => event.what)).toEqual([
    'labels',
    'text',
    'reviewers',
  ]);
  await pull.refresh(evidence);
  expect(github.pulls[0]?.body).toContain('#### Evidence');
});

test('one that GitHub does not mark ready is said, and marked the next time', async () => {
  await using scene = await createGitHubProject();
  const { it, github, open, gate, complete } = scene;
  const pull = await open();
  await complete();
  const evidence = await gate();
  github.faults.push(...Array(3).fill('PullRequestReadyForReview'));
  await pull.markReady(evidence);
  expect(it.said('pull-request:not-ready')).toMatchObject([
    { number: 1, reason: expect.stringContaining('502') },
  ]);
  expect(it.said('pull-request:ready')).toEqual([]);
  await (await open()).markReady(evidence);
  expect(github.pulls).toMatchObject([{ isDraft: false }]);
});

test('opened only after the gate has passed, its address is pushed as well', async () => {
  await using scene = await createGitHubProject();
  const { it, github, open, gate, complete } = scene;
  await open({ pullRequest: { mode: 'off' } });
  await complete();
  await gate();
  const { url } = await open();
  await gate();
  expect(github.pulls).toHaveLength(1);
  expect(it.said('gate:passed').at(-1)).toMatchObject({ again: false });
  expect(it.gitIn(it.origin, 'show', 'story/x:.saga/stories/x/story.json')).toContain(`"${url}"`);
});
