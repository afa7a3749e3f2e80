import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangeEvent } from '@saga-ai/types/screens/live';
import { expect, test } from 'vitest';
import { PLAN_ENV } from '../../../../../test/rig/project/done.ts';
import { createPlan, type Plan } from '../../../../../test/rig/project/plan.ts';
import { describeProcess } from '../../processes/identity.ts';
import { LiveProject } from './live-project.ts';

async function openProject(plan: Plan) {
  const faults: unknown[] = [];
  const project = await LiveProject.open(plan.paths, PLAN_ENV, (error) => faults.push(error));
  return { project, faults, [Symbol.asyncDispose]: () => project.close() };
}

/** Resolves with the first change that fits; ask before it is caused. */
function nextChange(project: LiveProject, fits: (change: ChangeEvent) => boolean) {
  return new Promise<ChangeEvent>((resolve) => {
    const leave = project.changes.listen(({ change }) => {
      if (!fits(change)) return;
      leave();
      resolve(change);
    });
  });
}

const done = { id: 'one', subject: 'Do one', description: '', status: 'completed', blockedBy: [] };

test.each([
  ['told by the system', true],
  ['looked for', false],
])(
  'a project is opened, followed and closed; what changes is named once, %s',
  async (_, native) => {
    using plan = createPlan();
    plan.story('first', { epic: 'shop' }, { one: {} });
    plan.story('second', { epic: 'shop' }, { one: {} });
    plan.epic('shop', { first: [], second: ['first'] });
    const { project, faults } = await openProject(plan);
    expect(project.overview.story('second')).toMatchObject({ ready: false, blockedBy: ['first'] });
    const watch = await project.follow({ native });
    expect(watch.isNative).toBe(native);

    const changed = nextChange(project, ({ stories }) => stories.includes('first'));
    plan.write('.saga/stories/first/one.json', done);
    expect(await changed).toEqual({
      stories: ['first', 'second'],
      epics: ['shop'],
      sessions: [],
      problems: false,
    });
    expect(project.overview.story('second')).toMatchObject({
      reason: 'waits for first: interrupted',
    });

    // This is what a scheduler waits for: the story that the change made ready.
    const isReady = nextChange(project, () => project.overview.story('second')?.ready === true);
    plan.done('first');
    await isReady;
    expect(project.overview.story('second')).toMatchObject({ ready: true, blockedBy: [] });

    const broken = nextChange(project, ({ problems }) => problems);
    plan.write('.saga/stories/second/one.json', '{');
    await broken;
    expect(project.overview.problems).toMatchObject([{ code: 'invalid-file' }]);

    await project.close();
    const { last } = project.changes;
    plan.story('third');
    expect({ last: project.changes.last, faults }).toEqual({ last, faults: [] });
  },
);

test('a session is named when its output grows, also where its file cannot be watched', async () => {
  using plan = createPlan();
  plan.story('cart');
  const session = 'saga-story-cart-1';
  const outputFile = join(plan.root, 'out.jsonl');
  const write = (fields: object) =>
    plan.write(`.git/saga/runs/sessions/${session}.json`, {
      ...{ version: 1, session, story: 'cart', ...describeProcess(process.pid), tmux: false },
      ...{ startedAt: '2026-01-01T00:00:00Z', model: 'opus', cycle: 1, tokens: 0, costUsd: 0 },
      ...{ outputFile, ...fields },
    });
  write({});
  await using it = await openProject(plan);
  // A file that is not there yet cannot be watched.
  expect(it.project.sessions.find(session)).toMatchObject({ state: 'running', outputSize: null });
  await it.project.follow();
  const named = ({ sessions }: ChangeEvent) => sessions.includes(session);
  let grown = nextChange(it.project, named);
  writeFileSync(outputFile, '{}\n');
  await grown;
  grown = nextChange(it.project, named);
  appendFileSync(outputFile, '{}\n');
  await grown;
  expect(it.project.sessions.find(session)).toMatchObject({ outputSize: 6 });
  expect(it.faults).toEqual([]);
});

test('a worker that ended in order is never taken for one that died', async () => {
  using plan = createPlan();
  plan.story('cart');
  const session = 'saga-story-cart-1';
  const me = describeProcess(process.pid);
  const gone = { ...me, started: me.started + 1 };
  const rest = {
    ...{ version: 1, session, story: 'cart', tmux: false, outputFile: '/nowhere' },
    ...{ startedAt: '2026-01-01T00:00:00Z', model: 'opus', cycle: 1, tokens: 0, costUsd: 0 },
  };
  const file = `.git/saga/runs/sessions/${session}.json`;
  plan.write(file, { ...rest, ...gone });
  await using it = await openProject(plan);
  expect(it.project.sessions.find(session)?.state).toBe('died');
  // Its last record is on disk, but nobody has said so yet.
  plan.write(file, { ...rest, ...gone, endedAt: '2026-01-01T00:01:00Z', outcome: 'stopped' });
  expect(it.project.sessions.find(session)).toMatchObject({ state: 'ended', outcome: 'stopped' });
});

test('what this process has written is known at once, without being told by the system', async () => {
  using plan = createPlan();
  await using opened = await openProject(plan);
  const { project } = opened;
  plan.story('new', { epic: 'shop' }, { one: {} });
  plan.epic('shop', { new: [] });
  await project.lookAt(['new']);
  expect(project.overview.story('new')).toMatchObject({ id: 'new', epic: 'shop' });
  expect(project.overview.epic('shop')).toMatchObject({ id: 'shop' });
});

test('a project that was away while it was read is read again once it is back', async () => {
  using plan = createPlan();
  plan.story('first');
  await using it = await openProject(plan);
  await it.project.follow();
  const moved = `${plan.root}-moved`;
  renameSync(plan.root, moved);
  await it.project.lookAt(['first']);
  expect(it.project.overview.story('first')).toBeUndefined();
  renameSync(moved, plan.root);
  await expect.poll(() => it.project.overview.story('first')).toMatchObject({ id: 'first' });
});
