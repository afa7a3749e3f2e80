import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlan } from '../../../../../../test/rig/project/plan.ts';
import { saveStatus } from '../../../plan/save-status.ts';
import { loadStory } from '../../../plan/stories.ts';
import { hydrate } from './hydrate.ts';
import { changeNativeTask, deleteNativeTask } from './native-edit.ts';
import { readNativeList } from './native-list.ts';
import { reconcile } from './reconcile.ts';

function createHydrated(tasks: Record<string, object>) {
  const plan = createPlan();
  plan.story('api', {}, tasks);
  const home = { config: join(plan.root, 'claude') };
  const list = hydrate(home, loadStory(plan.paths, 'api'), 1700000000000);
  const statuses = () =>
    Object.fromEntries(loadStory(plan.paths, 'api').tasks.map((it) => [it.id, it.status]));
  return { plan, home, list, statuses, [Symbol.dispose]: () => plan[Symbol.dispose]() };
}

test('a story becomes a list that shows a model all it must know', () => {
  using it = createHydrated({
    a: { status: 'completed' },
    b: {
      blockedBy: ['a'],
      guidance: 'Gently.',
      doneWhen: 'It works.',
      attempts: 1,
      lastOutcome: 'failed',
    },
  });
  expect(it.list).toMatchObject({ listId: 'saga__api__1700000000000', tasks: 2 });
  expect(readdirSync(it.list.folder).toSorted()).toEqual(['a.json', 'b.json']);
  expect(JSON.parse(readFileSync(join(it.list.folder, 'b.json'), 'utf8'))).toEqual({
    id: 'b',
    subject: 'Do b',
    description: 'All of b.\n\n## Guidance\nGently.\n\n## Done when\nIt works.',
    status: 'pending',
    blocks: [],
    blockedBy: ['a'],
    metadata: {
      semantic_id: 'b',
      guidance: 'Gently.',
      doneWhen: 'It works.',
      attempt_count: 1,
      last_outcome: 'failed',
    },
  });
});

test('a hydration that fails leaves nothing, and one that was killed is swept', () => {
  using it = createHydrated({ a: {} });
  const tasks = join(it.home.config, 'tasks');
  const story = loadStory(it.plan.paths, 'api');
  expect(() => hydrate(it.home, story, 1700000000000)).toThrow();
  expect(readdirSync(tasks)).toEqual(['saga__api__1700000000000']);
  mkdirSync(join(tasks, '.saga__api__5.999.tmp'));
  hydrate(it.home, story, 1700000000001);
  expect(readdirSync(tasks)).toEqual(['saga__api__1700000000000', 'saga__api__1700000000001']);
  it.plan.write('.saga/stories/api/broken.json', '{');
  expect(() => hydrate(it.home, loadStory(it.plan.paths, 'api'), 2)).toThrow(/not valid JSON/);
  it.plan.story('empty', {}, {});
  expect(() => hydrate(it.home, loadStory(it.plan.paths, 'empty'), 3)).toThrow(/no tasks/);
  expect(existsSync(join(tasks, 'saga__api__2'))).toBe(false);
});

test('one status change reaches the story, and only a legal one of a known task', async () => {
  using it = createHydrated({ a: {} });
  const sync = (taskId: string, status: string) => saveStatus(it.plan.paths, 'api', taskId, status);
  expect(await sync('a', 'in_progress')).toBe('changed');
  expect(await sync('a', 'in_progress')).toBe('unchanged');
  expect(await sync('a', 'deleted')).toBe('illegal-status');
  expect(await sync('7', 'completed')).toBe('unknown-task');
  expect(await sync('../api/a', 'completed')).toBe('unknown-task');
  expect(it.statuses()).toEqual({ a: 'in_progress' });
});

test('reconciling takes over what happened, and repeating it changes nothing', async () => {
  using it = createHydrated({ done: {}, stuck: {}, gone: { status: 'completed' }, bad: {} });
  const { folder } = it.list;
  await changeNativeTask(folder, 'done', (task) => ({ ...task, status: 'completed' }));
  await changeNativeTask(folder, 'stuck', (task) => ({
    ...task,
    status: 'in_progress',
    owner: 'x',
  }));
  await deleteNativeTask(folder, 'gone');
  writeFileSync(join(folder, 'bad.json'), '{');
  writeFileSync(
    join(folder, '1.json'),
    JSON.stringify({ ...readNativeList(folder).tasks[0], id: '1' }),
  );
  const run = () => reconcile(it.plan.paths, 'api', folder, { outcome: 'failed' });
  const { changes, notes, problems } = await run();
  expect(changes.map(({ taskId, to, why }) => [taskId, to, why])).toEqual([
    ['done', 'completed', 'the list says so'],
    ['stuck', 'pending', 'the run ended before it was completed'],
  ]);
  expect(notes.map(({ taskId, kind }) => `${taskId} ${kind}`).toSorted()).toEqual([
    '1 created-by-run',
    'bad invalid',
    'gone vanished',
  ]);
  expect(problems.map(({ file }) => file)).toEqual(['bad.json']);
  expect(it.statuses()).toEqual({
    bad: 'pending',
    done: 'completed',
    gone: 'completed',
    stuck: 'pending',
  });
  const stuck = loadStory(it.plan.paths, 'api').tasks.find((task) => task.id === 'stuck');
  expect(stuck).toMatchObject({ attempts: 1, lastOutcome: 'failed' });
  const native = readNativeList(folder).tasks.find((task) => task.id === 'stuck');
  expect(native).toMatchObject({ status: 'pending', metadata: { attempt_count: 1 } });
  expect(native?.owner).toBeUndefined();
  expect((await run()).changes).toEqual([]);
});
