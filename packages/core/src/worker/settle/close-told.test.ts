import { buildFeedback, parseJournal } from '@saga-ai/types/plan/journal';
import { findUntold } from '@saga-ai/types/plan/worker-notes';
import { expect, test } from 'vitest';
import { createPlan } from '../../../../../test/rig/project/plan.ts';
import { appendJournal } from '../../plan/journal.ts';
import { loadStory } from '../../plan/stories.ts';
import { closeTold } from './close-told.ts';

test('feedback that comes while a run works, with the first line of what the run was told, is not closed unread', async () => {
  using plan = createPlan();
  plan.story('x');
  const untold = () =>
    findUntold(parseJournal(loadStory(plan.paths, 'x').journal).entries).feedback;
  const say = (text: string, time: string) =>
    appendJournal(plan.paths, 'x', buildFeedback(text, time));
  await say('Please fix the tests\n\ncart.test.ts fails', '2026-01-01T00:00:01.000Z');
  const told = untold().map(({ id }) => id);
  await say('Please fix the tests\n\nNow order.test.ts fails', '2026-01-01T00:00:02.000Z');
  const worker = { paths: plan.paths, storyId: 'x' };
  await closeTold(worker, told, { from: 'a', to: 'b' });
  expect(untold()).toMatchObject([{ body: 'Please fix the tests\n\nNow order.test.ts fails' }]);
  // After a kill it is called again: nothing is written twice.
  const before = loadStory(plan.paths, 'x').journal;
  await closeTold(worker, told, { from: 'a', to: 'b' });
  expect(loadStory(plan.paths, 'x').journal).toBe(before);
});
