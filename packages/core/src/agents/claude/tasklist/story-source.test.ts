import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlan } from '../../../../../../test/rig/project/plan.ts';
import { acquireLock } from '../../../processes/lock.ts';
import { workerLock } from '../../../project/paths.ts';
import { popTask } from './claim.ts';
import { openStoryTasks } from './story-source.ts';

test("a story's files speak like a list, and keep their own spelling", async () => {
  using plan = createPlan();
  plan.story(
    'api',
    {},
    {
      a: { guidance: 'Gently.', mine: 1 },
      b: { blockedBy: ['a'], labels: ['x'], needsTests: true },
    },
  );
  const source = openStoryTasks(plan.paths, 'api');
  expect(
    source
      .load()
      .tasks.map(({ id, blocks, description, metadata }) => [id, blocks, description, metadata]),
  ).toEqual([
    ['a', ['b'], 'All of a.', { semantic_id: 'a', guidance: 'Gently.' }],
    ['b', [], 'All of b.', { semantic_id: 'b', labels: ['x'], needs_tests: true }],
  ]);
  await popTask(source, { owner: 'me', pid: process.pid, time: 'now' });
  await source.change('b', (task) => ({
    ...task,
    metadata: { ...task.metadata, attempt_count: 2, last_outcome: 'failed' },
  }));
  const read = (id: string) =>
    JSON.parse(readFileSync(join(plan.paths.stories, `api/${id}.json`), 'utf8'));
  expect(read('a')).toMatchObject({
    status: 'in_progress',
    owner: 'me',
    guidance: 'Gently.',
    mine: 1,
  });
  expect(read('b')).toMatchObject({
    attempts: 2,
    lastOutcome: 'failed',
    labels: ['x'],
    needsTests: true,
  });
});

test('tasks are created, ordered and removed', async () => {
  using plan = createPlan();
  plan.story('api', {}, { a: {} });
  const source = openStoryTasks(plan.paths, 'api');
  const made = await source.create({
    subject: 'Write the docs!',
    description: 'D',
    blockedBy: ['a'],
    metadata: { area: 'docs', ticket: 7 },
  });
  expect(made).toMatchObject({
    id: 'write-the-docs',
    blockedBy: ['a'],
    metadata: { area: 'docs', ticket: 7 },
  });
  await expect(source.addDependency('a', 'write-the-docs')).rejects.toMatchObject({
    code: 'cycle',
  });
  await expect(source.addDependency('a', 'ghost')).rejects.toMatchObject({ code: 'not-found' });
  await source.remove('a');
  expect(source.load()).toMatchObject({
    tasks: [{ id: 'write-the-docs', blockedBy: [] }],
    problems: [],
  });
});

test('while a worker works on the story, what would be put back after its run is refused', async () => {
  using plan = createPlan();
  plan.story('api', {}, { a: {} });
  const { release } = await acquireLock(workerLock(plan.paths, 'api'), 0);
  try {
    const source = openStoryTasks(plan.paths, 'api');
    for (const metadata of [{ labels: ['mine'] }, { area: 'till' }, { needs_tests: true }]) {
      const change = source.change('a', (task) => ({ ...task, metadata }));
      await expect(change).rejects.toMatchObject({ code: 'in-flight' });
    }
    await source.change('a', (task) => ({ ...task, metadata: { ...task.metadata, ticket: 7 } }));
    await source.change('a', (task) => ({ ...task, status: 'completed' }));
    const text = readFileSync(join(plan.paths.stories, 'api/a.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ status: 'completed', metadata: { ticket: 7 } });
  } finally {
    release();
  }
});
