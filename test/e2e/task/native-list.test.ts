import { existsSync, mkdirSync, readFileSync, rmdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClientLock } from '@saga-ai/core/agents/claude/tasklist/client-lock';
import { hydrate } from '@saga-ai/core/agents/claude/tasklist/hydrate';
import { reconcile } from '@saga-ai/core/agents/claude/tasklist/reconcile';
import { saveStatus } from '@saga-ai/core/plan/save-status';
import { loadStory } from '@saga-ai/core/plan/stories';
import type { Turn } from '@saga-ai/model';
import { expect, test } from 'vitest';
import { createStage } from '../../rig/client/stage.ts';
import { runProgram, SAGA } from '../../rig/programs/run-program.ts';
import { createPlan } from '../../rig/project/plan.ts';

const call = (tool: string, input: object = {}): Turn => ({
  calls: [{ tool, input: { ...input } }],
});
const done: Turn = { text: 'Done.' };

/** A story hydrated into the list of a stage, where the real client works on it. */
async function createWork(tasks: Record<string, object>) {
  const plan = createPlan();
  const stage = await createStage();
  plan.story('api', {}, tasks);
  const config = join(stage.home, '.claude');
  const list = hydrate({ config }, loadStory(plan.paths, 'api'), 1);
  const run = (turns: Turn[]) =>
    stage.run({ turns, env: { CLAUDE_CODE_TASK_LIST_ID: list.listId } });
  const start = (turns: Turn[]) =>
    stage.start({ turns, env: { CLAUDE_CODE_TASK_LIST_ID: list.listId } });
  const saga = (...args: string[]) =>
    runProgram(SAGA, ['task', ...args, '--list', list.listId], {
      env: { CLAUDE_CONFIG_DIR: config },
    });
  return {
    plan,
    list,
    run,
    start,
    saga,
    native: (id: string) => JSON.parse(readFileSync(join(list.folder, `${id}.json`), 'utf8')),
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      plan[Symbol.dispose]();
    },
  };
}

test('the client lists a hydrated story with its dependencies, and shows guidance and doneWhen', async () => {
  await using it = await createWork({
    tests: { status: 'completed' },
    model: { blockedBy: ['tests'], guidance: 'Keep it small.', doneWhen: 'npm test passes.' },
    docs: { blockedBy: ['model'] },
  });
  const { model } = await it.run([call('TaskList'), call('TaskGet', { taskId: 'model' }), done]);
  const [listed, got] = model.requests.at(-1)?.conversation.calls ?? [];
  expect(listed?.result?.text.split('\n').toSorted()).toEqual([
    '#docs [pending] Do docs [blocked by #model]',
    '#model [pending] Do model',
    '#tests [completed] Do tests',
  ]);
  expect(got?.result?.text).toContain('## Guidance\nKeep it small.');
  expect(got?.result?.text).toContain('## Done when\nnpm test passes.');
});

test("the client's status changes reach the story's files, from the stream and afterwards", async () => {
  await using it = await createWork({ a: {}, b: {} });
  const update = (taskId: string, status: string) => call('TaskUpdate', { taskId, status });
  const { events } = await it.run([
    update('a', 'in_progress'),
    update('a', 'completed'),
    update('b', 'in_progress'),
    done,
  ]);
  for (const { tool_use_result: result } of events.filter((event) => event.type === 'user')) {
    if (result.statusChange) {
      await saveStatus(it.plan.paths, 'api', result.taskId, result.statusChange.to);
    }
  }
  const statuses = () => loadStory(it.plan.paths, 'api').tasks.map(({ status }) => status);
  expect(statuses()).toEqual(['completed', 'in_progress']);
  await reconcile(it.plan.paths, 'api', it.list.folder, { outcome: 'failed' });
  expect(statuses()).toEqual(['completed', 'pending']);
  expect(it.native('b')).toMatchObject({ status: 'pending', metadata: { attempt_count: 1 } });
});

test('a task the client deletes, or creates for itself, changes nothing in the story', async () => {
  await using it = await createWork({ a: {}, b: { blockedBy: ['a'] } });
  await it.run([
    call('TaskUpdate', { taskId: 'a', status: 'deleted' }),
    call('TaskCreate', { subject: 'My own', description: 'For me.' }),
    done,
  ]);
  expect(existsSync(join(it.list.folder, 'a.json'))).toBe(false);
  const { changes, notes } = await reconcile(it.plan.paths, 'api', it.list.folder, {
    outcome: 'failed',
  });
  expect(changes).toEqual([]);
  expect(notes).toEqual([
    { taskId: 'a', kind: 'vanished' },
    { taskId: '1', kind: 'created-by-run' },
  ]);
  expect(loadStory(it.plan.paths, 'api').tasks.map(({ id, blockedBy }) => [id, blockedBy])).toEqual(
    [
      ['a', []],
      ['b', ['a']],
    ],
  );
});

test('what saga task writes is what the client sees next', async () => {
  await using it = await createWork({ a: {} });
  const created = await it.saga(
    'create',
    'From outside',
    '--blocked-by',
    'a',
    '--body',
    'Look here.',
  );
  expect(created.code).toBe(0);
  await it.saga('claim', 'a', '--owner', 'me');
  const { model } = await it.run([call('TaskList'), call('TaskGet', { taskId: '1' }), done]);
  const [listed, got] = model.requests.at(-1)?.conversation.calls ?? [];
  expect(listed?.result?.text.split('\n').toSorted()).toEqual([
    '#1 [pending] From outside [blocked by #a]',
    '#a [in_progress] Do a (me)',
  ]);
  expect(got?.result?.text).toContain('Look here.');
});

test('our lock holds the client off, and its lock holds us off', async () => {
  await using it = await createWork({ a: {} });
  const file = join(it.list.folder, 'a.json');
  const go = join(it.plan.root, 'go');
  const complete = call('TaskUpdate', { taskId: 'a', status: 'completed' });
  // The client gives up after 2.7 seconds. It tries again once the test says that the lock is free.
  const wait = call('Bash', { command: `until [ -e '${go}' ]; do sleep 0.1; done` });
  const running = await withClientLock(file, async () => {
    const started = await it.start([complete, wait, complete, done]);
    const answered = await started.seen((event) => event.type === 'user');
    expect(answered.message.content[0]).toMatchObject({
      content: expect.stringContaining('Lock file is already being held'),
      is_error: true,
    });
    expect(it.native('a').status).toBe('pending');
    return started;
  });
  writeFileSync(go, '');
  const run = await running.ended;
  expect(run.result?.is_error).toBe(false);
  expect(it.native('a').status).toBe('completed');
  expect(run.events.filter((event) => event.tool_use_result?.statusChange)).toHaveLength(1);

  const lock = `${file}.lock`;
  mkdirSync(lock);
  // So the lock does not become stale, however long this process stands still.
  const ahead = Date.now() / 1000 + 3600;
  utimesSync(lock, ahead, ahead);
  const ours = it.saga('reopen', 'a');
  await sleep(700);
  expect(it.native('a').status).toBe('completed');
  rmdirSync(lock);
  expect((await ours).code).toBe(0);
  expect(it.native('a').status).toBe('pending');
});
