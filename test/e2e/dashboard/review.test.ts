import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatSessionEvent } from '@saga-ai/types/run/format-event';
import type {
  FileDiffAnswer,
  ReviewAnswer,
  ToReviewAnswer,
} from '@saga-ai/types/screens/review/review';
import { expect, test } from 'vitest';
import { createCheckedStory } from '../../rig/project/checked-story.ts';
import { createProject, type Project } from '../../rig/project/project.ts';
import { openDashboard } from '../../rig/screens/dashboard.ts';
import { startSilentWorker } from '../../rig/worker/silent-worker.ts';

const serve = (it: Project) =>
  openDashboard({
    paths: it.paths,
    env: { ...it.env, SAGA_SESSION_DIR: join(it.folder, 'sessions') },
  });

test('a review is read by commits and numbers; what is no commit never reaches git', async () => {
  using it = createProject();
  const { saga } = await createCheckedStory(it, 'cart', { 'a.txt': 'a\n', '-b': 'b\n' });
  await using server = await serve(it);
  const review = await server.json<ReviewAnswer>('/api/review/cart');
  const said = JSON.parse((await saga('diff', 'cart', '--json')).stdout);
  expect(review).toMatchObject({
    ...{ kind: 'story', base: 'main', head: 'story/cart', isMerged: false, isRunning: false },
    ...{ from: said.from, to: said.to, planFiles: said.planFiles, uncommitted: [] },
  });
  expect(review.files.map(({ path, added, removed }) => ({ path, added, removed }))).toEqual(
    said.files,
  );
  const { from, to } = review;
  const ask = (number: number | string, query: Record<string, string>) =>
    server.ask(`/api/review/cart/files/${number}?${new URLSearchParams(query)}`);
  const diff = JSON.parse((await ask(0, { from, to })).text) as FileDiffAnswer;
  expect(diff.hunks[0]?.lines).toEqual(['+b']);
  expect((await ask(9, { from, to })).status).toBe(404);
  expect((await ask('x', { from, to })).status).toBe(400);
  for (const bad of ['--output=/tmp/x', 'main', 'HEAD', '']) {
    expect((await ask(0, { from, to: bad })).status).toBe(400);
  }
  expect((await server.askBare('/api/review/cart')).status).toBe(401);
  const remark = { from, to, file: 0, side: 'new', line: 1, text: 'No.' };
  for (const bad of [
    { ...remark, text: ' ' },
    { ...remark, file: 99 },
    { ...remark, line: 0 },
    { ...remark, to: '--all' },
    { ...remark, side: 'both' },
  ]) {
    const { status } = await server.act('/api/review/cart/remarks', {
      remarks: [remark, bad],
      runs: false,
    });
    expect(status).toBe(400);
  }
  const journal = '../project.stories/cart/.saga/stories/cart/journal.md';
  expect(() => it.read(journal)).toThrow();
  // Repeated after an answer that was lost: filed once.
  for (let times = 0; times < 2; times++) {
    const sent = await server.act('/api/review/cart/remarks', { remarks: [remark], runs: false });
    expect(sent.status).toBe(200);
  }
  expect(it.read(journal).match(/Feedback: -b:1: No\./g)).toHaveLength(1);
});

test('the queue says what a worker does that follows a pull request', async () => {
  using it = createProject();
  await createCheckedStory(it, 'cart');
  const story = '../project.stories/cart/.saga/stories/cart/story.json';
  const pr = 'https://github.com/acme/shop/pull/7';
  it.write(story, { ...JSON.parse(it.read(story)), pr });
  const worker = await startSilentWorker(it, 'cart', Date.now());
  worker.write(0, { type: 'follow:start', number: 7, rounds: 3 });
  // A worker that only watches holds no lock.
  worker[Symbol.dispose]();
  await using server = await serve(it);
  const { items } = await server.json<ToReviewAnswer>('/api/review');
  expect(items).toMatchObject([
    {
      ...{ kind: 'story', id: 'cart', pr, evidence: 'unverified', after: [], obstacles: [] },
      size: { files: 1, added: 1, removed: 0 },
      follow: { state: 'watching', text: 'watches #7, 3 rounds left' },
    },
  ]);
  const time = new Date().toISOString();
  appendFileSync(
    worker.outputFile,
    formatSessionEvent({ time, type: 'follow:checks', number: 7, running: 2 }),
  );
  await expect
    .poll(async () => (await server.json<ToReviewAnswer>('/api/review')).items[0]?.follow)
    .toEqual({ state: 'checking', text: 'waits for 2 checks of #7' });
});
