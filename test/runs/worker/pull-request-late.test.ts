import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { type Policy, walkTasks } from '@saga-ai/model';
import { expect, test } from 'vitest';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

const said = (it: Workshop, type: string) => it.events().filter((event) => event.type === type);

test('a pull request that GitHub did not give at the start is asked for once more at the end', async () => {
  await using it = await createWorkshop();
  it.story('x', {}, { a: {} });
  it.github.faults.push('PullRequestCreate');
  const { code, stdout } = await it.saga(['worker', 'x']);
  expect({ code, stdout }).toMatchObject({ code: 0 });
  expect(stdout).not.toContain('no pull request');
  expect(said(it, 'pull-request:skipped')).toHaveLength(1);
  expect(it.github.pulls).toMatchObject([{ isDraft: false, state: 'OPEN' }]);
  const { pr } = JSON.parse(it.git('show', 'origin/story/x:.saga/stories/x/story.json'));
  expect(pr).toContain('/pull/1');
  expect(await it.saga(['verify', 'x'])).toMatchObject({ code: 0 });
});

test('a remote that was out of reach at the start gets its pull request at the end', async () => {
  const walk = walkTasks({});
  const policy: Policy = (conversation) => {
    // The first thing the model is asked: by then the start is over.
    if (conversation.callsSincePrompt.length === 0) bringBack();
    return walk(conversation);
  };
  await using it = await createWorkshop({ model: { policy } });
  const away = `${it.origin}.away`;
  let isAway = false;
  const bringBack = () => {
    if (isAway) renameSync(away, it.origin);
    isAway = false;
  };
  it.story('x', {}, { a: {} });
  renameSync(it.origin, away);
  isAway = true;
  const { code, stdout } = await it.saga(['worker', 'x']);
  expect({ code, stdout }).toMatchObject({ code: 0 });
  expect(said(it, 'pull-request:skipped')).toMatchObject([{ reason: 'origin cannot be reached' }]);
  expect(it.github.pulls).toMatchObject([{ isDraft: false, state: 'OPEN' }]);
});

test('one that cannot be had at the end either is missing from no last word', async () => {
  await using it = await createWorkshop();
  it.story('x', {}, { a: {} });
  it.github.faults.push('PullRequestCreate', 'PullRequestCreate');
  const { code, stdout } = await it.saga(['worker', 'x']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/gate passed; no pull request: .*HTTP 502/);
  expect(it.github.pulls).toEqual([]);
  // The next worker finds the work done, and opens it.
  expect((await it.saga(['worker', 'x'])).stdout).toContain('ready for review');
  expect(it.github.pulls).toMatchObject([{ isDraft: false }]);
});

test('where none is wanted, none is missed', async () => {
  await using it = await createWorkshop();
  it.story('x', {}, { a: {} });
  it.git('remote', 'remove', 'github');
  const { code, stdout } = await it.saga(['worker', 'x']);
  expect(code).toBe(0);
  expect(stdout).toContain('none: no remote is on GitHub');
  expect(stdout).not.toContain('no pull request');
  expect(said(it, 'pull-request:start')).toHaveLength(1);
});

test('three workers that begin at once after main moved all open a pull request', async () => {
  await using it = await createWorkshop();
  const ids = ['cart', 'cart-api', 'pay'];
  for (const id of ids) it.story(id, {}, { [`${id}-a`]: {} });
  const other = `${it.origin}.clone`;
  const env = { ...it.environment };
  execFileSync('git', ['clone', '-q', it.origin, other], { env, stdio: 'pipe' });
  execFileSync('git', ['commit', '-q', '--allow-empty', '-m', 'Theirs'], { cwd: other, env });
  execFileSync('git', ['push', '-q'], { cwd: other, env, stdio: 'pipe' });
  const ended = await Promise.all(ids.map((id) => it.saga(['worker', id])));
  expect(ended).toMatchObject(ids.map(() => ({ code: 0, stderr: '' })));
  expect(it.github.pulls.map(({ head }) => head).sort()).toEqual(ids.map((id) => `story/${id}`));
  for (const { stdout } of ended) expect(stdout).not.toContain('cannot be reached');
});
