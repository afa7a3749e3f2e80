import { walkTasks } from '@saga-ai/model';
import { expect, test } from 'vitest';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

const WAIT = { interval: 100 };

/** The model of each run, as the worker says and as the model was asked. */
function modelsOf(it: Workshop) {
  const started = it.events().flatMap((event) => (event.type === 'run:start' ? event.model : []));
  const asked = it.model.requests.flatMap(({ kind, conversation }) =>
    kind === 'turn' ? conversation.model : [],
  );
  return { started, asked: [...new Set(asked)] };
}

test('the last attempt at a task has its own model; a story chooses its models, and a flag wins', async () => {
  // A model that takes the task and then says that it is done.
  await using it = await createWorkshop({
    model: {
      policy: ({ callsSincePrompt }) =>
        callsSincePrompt.length > 0
          ? { text: 'I give up.' }
          : {
              calls: [{ tool: 'TaskUpdate', input: { taskId: 'one', status: 'in_progress' } }],
            },
    },
  });
  it.write('.saga/config.json', {
    worker: { model: 'haiku', lastAttemptModel: 'claude-opus-4-8', maxAttempts: 2 },
  });
  it.story('cart', { worker: { model: 'claude-sonnet-5' } }, { one: {} });
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 3 });
  expect(modelsOf(it)).toEqual({
    started: ['claude-sonnet-5', 'claude-opus-4-8'],
    asked: ['claude-sonnet-5', 'claude-opus-4-8'],
  });
  const costs = JSON.parse((await it.saga(['costs', '--by', 'model', '--json'])).stdout);
  expect(costs.rows.map(({ key }: { key: string }) => key).toSorted()).toEqual([
    'claude-opus-4-8',
    'claude-sonnet-5',
  ]);
  it.story('pay', { worker: { model: 'claude-sonnet-5' } }, { one: {} });
  await it.saga(['worker', 'pay', '--model', 'claude-haiku-5', '--max-cycles', '1']);
  expect(modelsOf(it).started).toEqual(['claude-haiku-5']);
});

test('the cost of a run is estimated while it works and after it was cut off; of an unknown model it is unknown', async () => {
  const policy = walkTasks({ rehearsals: { one: { run: ['tail -f /dev/null --pid=$$'] } } });
  await using it = await createWorkshop({ model: { policy, usage: { inputTokens: 40_000 } } });
  for (const [id, model, cost] of [
    ['cart', 'claude-opus-4-8', /~\$\d+\.\d\d/],
    ['pay', 'nobody-1', /(cost )?unknown/],
  ] as const) {
    it.story(id, { worker: { model } }, { one: {} });
    const working = it.saga(['worker', id]);
    const print = async (...args: string[]) =>
      (await it.saga(args, { env: { COLUMNS: '200' } })).stdout;
    // While the command runs that never ends.
    await expect.poll(() => print('status', id), WAIT).toMatch(/Bash tail.*/);
    await expect.poll(() => print('status', id), WAIT).toMatch(cost);
    expect(await print('sessions', id)).toMatch(cost);
    expect(await print('costs')).toMatch(new RegExp(`${id}.*${cost.source}`));
    await it.saga(['stop', id]);
    expect(await working).toMatchObject({ code: 2 });
    expect(await print('sessions', id)).toMatch(cost);
    expect(await print('costs', '--by', 'model')).toMatch(new RegExp(`${model}.*${cost.source}`));
  }
});

test('a story with a model that is none is a problem with a remedy', async () => {
  await using it = await createWorkshop();
  it.story('cart', { worker: { modle: 'opus', effort: 'huge' } }, { one: {} });
  const { code, stdout, stderr } = await it.saga(['check'], { env: { COLUMNS: '200' } });
  expect(code).toBe(1);
  expect(stdout + stderr).toMatch(/worker\.effort/);
  expect(stdout + stderr).toMatch(/modle/);
});
