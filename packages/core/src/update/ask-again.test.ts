import { buildResolution, findOpenBlockers, parseJournal } from '@saga-ai/types/plan/journal';
import { findUntold } from '@saga-ai/types/plan/worker-notes';
import { expect, test } from 'vitest';
import { completeStory } from '../../../../test/rig/project/done.ts';
import { openPlanFiles } from '../../../../test/rig/project/plan-files.ts';
import { createProject } from '../../../../test/rig/project/project.ts';
import { commitAll } from '../../../../test/rig/project/repository.ts';
import { requireInReview } from '../landing/require-evidence.ts';
import { loadOverview } from '../overview/overview.ts';
import { appendJournal } from '../plan/journal.ts';
import { loadStory } from '../plan/stories.ts';
import { ensureWorktree } from '../worker/prepare/ensure-worktree.ts';
import { closeTold } from '../worker/settle/close-told.ts';
import { updateStory } from './update-story.ts';

test('the answer to a conflict goes to a run before the story is landed or anybody is asked again', async () => {
  using it = createProject({ remote: null });
  it.story('x', {}, { one: {} });
  commitAll(it.gitIn, it.root, 'Plan');
  const { folder } = await ensureWorktree(it.worker());
  const files = openPlanFiles(folder);
  files.write('same.txt', 'of the story\n');
  commitAll(it.gitIn, folder, 'Work');
  completeStory(files, 'x', { head: it.gitIn(folder, 'rev-parse', 'HEAD').trim() });
  it.write('same.txt', 'of main\n');
  commitAll(it.gitIn, it.root, 'Other work');

  const { emit: _, agent: __, lifeline: ___, network: ____, ...order } = it.worker();
  const parts = { plan: false, base: true, tellsRun: true };
  const update = async () => (await updateStory({ ...order, parts, listen: () => {} }))?.told;
  const entries = () => parseJournal(loadStory(it.paths, 'x').journal).entries;
  /** Notes what a worker notes of a run that could not mend the conflict. */
  const run = async () => {
    const { feedback, answers } = findUntold(entries());
    const told = [...feedback, ...answers];
    const ids = told.map(({ id }) => id);
    await closeTold({ paths: it.paths, storyId: 'x' }, ids, { from: 'a', to: undefined });
    return told.map(({ body }) => body);
  };
  const look = async () => (await loadOverview(it.paths, it.env)).stories[0];

  expect(await update()).toBe('told');
  expect(await run()).toHaveLength(1);
  expect(await update()).toBe('asked');
  expect((await look())?.state).toBe('needs you');
  for (const question of findOpenBlockers(entries())) {
    const answer = buildResolution(question, 'Keep both, HERON5.', new Date().toISOString());
    await appendJournal(it.paths, 'x', answer);
  }

  expect(await look()).toMatchObject({
    state: 'interrupted',
    reason: expect.stringContaining('your answer is for the next run: Does not merge with main'),
    next: 'saga run x',
  });
  await expect(requireInReview(order)).rejects.toMatchObject({
    hint: 'What helps: saga run x',
  });
  expect(await update()).toBe('told');
  expect(await run()).toEqual(['Keep both, HERON5.']);
  expect(await update()).toBe('asked');
  expect(findOpenBlockers(entries())).toMatchObject([
    { body: expect.stringContaining('it did not help: "Keep both, HERON5."') },
  ]);
});
