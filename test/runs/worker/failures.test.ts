import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { type Policy, walkTasks } from '@saga-ai/model';
import { expect, test } from 'vitest';
import { after } from '../../rig/faults/point.ts';
import { strikeWorker } from '../../rig/faults/struck-worker.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

const failing = (it: Workshop, fault: Parameters<Workshop['model']['failNext']>[0], times = 8) => {
  for (let i = 0; i < times; i++) it.model.failNext(fault);
};

test('without a client nothing happens but one clear error', async () => {
  await using it = await createWorkshop();
  it.story('cart');
  const before = [it.git('status', '--short'), it.git('for-each-ref')];
  const { code, stderr } = await it.saga(['worker', 'cart'], { env: { PATH: '/usr/bin:/bin' } });
  expect(code).toBe(1);
  expect(stderr).toContain('Claude Code (claude) was not found.');
  expect(stderr).toContain('npm install -g @anthropic-ai/claude-code');
  expect([it.git('status', '--short'), it.git('for-each-ref')]).toEqual(before);
  expect(it.events().at(-1)).toMatchObject({ type: 'worker:end', code: 'missing-program' });
});

test('a client that does not start says so', async () => {
  await using it = await createWorkshop();
  it.story('cart');
  it.write('broken', '#!/bin/sh\necho "no such library" >&2\nexit 127\n');
  chmodSync(join(it.root, 'broken'), 0o755);
  it.environment.SAGA_WORKER_CLAUDE_PATH = './broken';
  const { code, stderr } = await it.saga(['worker', 'cart']);
  expect(code).toBe(1);
  expect(stderr).toContain('does not print its version: no such library');
});

test('a refused key is one error in a second, not ten cycles', async () => {
  await using it = await createWorkshop();
  it.story('cart');
  failing(it, { status: 401 });
  const { code, stderr } = await it.saga(['worker', 'cart']);
  expect(code).toBe(1);
  expect(stderr).toContain('[credential-refused]');
  expect(it.model.requests.length).toBeLessThan(4);
  expect(it.pushedStatuses('cart')).toEqual({ one: 'pending', two: 'pending', three: 'pending' });
});

test('without Task tools the run is stopped before the model is asked', async () => {
  await using it = await createWorkshop();
  it.story('cart');
  it.write('.claude/settings.json', { permissions: { deny: ['TaskList'] } });
  it.git('add', '-A');
  it.git('commit', '-qm', 'Settings');
  it.git('push', '-q', 'origin', 'main');
  const { code, stderr } = await it.saga(['worker', 'cart']);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('TaskList') });
  expect(stderr).toContain('[no-task-tools]');
  expect(it.events().filter((event) => event.type === 'run:start')).toHaveLength(1);
  expect(it.model.requests.filter(({ conversation }) => conversation.calls.length > 0)).toEqual([]);
});

test('the time is kept inside a long tool call, and nothing is left running', async () => {
  await using it = await createWorkshop({
    rehearsals: { one: { run: ['tail -f /dev/null --pid=$$'] } },
  });
  it.story('cart', {}, { one: {} });
  // Long enough for the run to come to the tool, which would never end.
  const { code, stdout } = await it.saga(['worker', 'cart', '--max-time', '0.3']);
  expect(code).toBe(2);
  expect(stdout).toContain('! limit          the time is up');
  expect(it.pushedStatuses('cart')).toEqual({ one: 'pending' });
  // The time was up: that says nothing about the task.
  expect(JSON.parse(it.readStory('cart', 'one.json'))).not.toHaveProperty('attempts');
});

test('two runs that change nothing end the loop', async () => {
  await using it = await createWorkshop({
    model: { policy: () => ({ text: 'I would rather not.' }) },
  });
  it.story('cart');
  const { code, stdout } = await it.saga(['worker', 'cart']);
  expect(code).toBe(2);
  expect(stdout).toContain('no progress in 2 cycles · 2 runs');
  expect(stdout).toContain('→ to resume: saga run cart');
});

test('a task that fails three times is for a person; opened again it is tried again', async () => {
  await using it = await createWorkshop({ rehearsals: { one: { run: ['date >> log && false'] } } });
  it.write('.saga/config.json', { worker: { resplit: false } });
  it.story('cart', {}, { one: {} });
  const { code, stdout } = await it.saga(['worker', 'cart']);
  expect(code).toBe(3);
  expect(stdout).toContain('tried too often: one · 3 runs');
  expect(stdout).toContain('→ to try again: saga task reopen --story cart one');
  expect((await it.saga(['status'])).stdout).toMatch(/needs you: Do one \(tried too often, .+\)/);
  await it.saga(['task', 'reopen', '--story', 'cart', 'one']);
  const reopened = JSON.parse(it.readStory('cart', 'one.json'));
  expect(reopened.status).toBe('pending');
  expect(reopened.escalated ?? false).toBe(false);
  expect(reopened.attempts ?? 0).toBe(0);
  expect((await it.saga(['worker', 'cart', '--max-cycles', '1'])).stdout).toContain('1 run');
});

test('budgets end a run that is under way, and count for all sessions of the story', async () => {
  await using it = await createWorkshop({
    model: {
      policy: () => ({ calls: [{ tool: 'TaskList', input: {} }], usage: { inputTokens: 400 } }),
    },
  });
  it.story('cart');
  const tokens = await it.saga(['worker', 'cart', '--budget-tokens', '1000']);
  expect(tokens.code).toBe(2);
  expect(tokens.stdout).toContain('the token budget is spent: 1200');
  // The run was cut off, so the client did not say what it cost.
  expect(tokens.stdout).toMatch(/1 run · .* tokens · ~\$0\.\d\d/);
  expect(tokens.stdout).toContain('→ to resume with more: saga run cart --budget-tokens …');
  const again = await it.saga(['worker', 'cart', '--budget-tokens', '1000']);
  expect(again.stdout).toContain('the token budget is spent: 1200 · 0 runs');
  const { sessions } = JSON.parse((await it.saga(['sessions', '--all', '--json'])).stdout);
  const costs = sessions.map((record: { costUsd: number }) => record.costUsd > 0);
  expect(costs).toEqual([false, true]);
});

test('a usage limit is waited for when it ends in time, and shown as waiting', async () => {
  const reset = Math.ceil(Date.now() / 1000) + 1800;
  const walk = walkTasks();
  let isOver = false;
  const policy: Policy = (seen) =>
    isOver
      ? walk(seen)
      : { fault: { status: 400, message: `Claude AI usage limit reached|${reset}` } };
  await using it = await createWorkshop({ model: { policy } });
  it.story('cart', {}, { one: {} });
  // The clock of the worker jumps as it begins to wait, until shortly before the limit ends.
  const jump = () => {
    isOver = true;
    return reset * 1000 - Date.now() - 2000;
  };
  const { code, stdout } = await strikeWorker(it, after('event', 'limit:waiting'), jump);
  expect(stdout).toContain('! waiting        until ');
  expect(code).toBe(0);
  const starts = it.events().filter((event) => event.type === 'run:start');
  expect(starts).toHaveLength(2);
  expect(Date.parse(starts[1]?.time ?? '')).toBeGreaterThanOrEqual(reset * 1000);
});
